// The OAuth endpoints of a pool's domain, its documents, and faults in the form of a call.
import { password } from "../people.mjs"
import { Browser } from "./browser.mjs"
import { apps, initiate, pool, request, signedIn } from "./cognito.mjs"

const redirect_uri = "org.example.app:/back"
const code_verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
const code_challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
const scope = "openid email aws.cognito.signin.user.admin"
const client_id = apps.usual

const get = (path, headers = {}) => ({ method: "GET", path, headers })
const post = (path, body, headers = {}) =>
    ({ method: "POST", path, headers: { "content-type": "application/x-www-form-urlencoded", ...headers }, body })
const bearer = token => ({ authorization: `Bearer ${token}` })

function authorize(more = {}) {
    const query = {
        response_type: "code", client_id, redirect_uri, state: "st", scope, code_challenge, code_challenge_method: "S256",
        ...more
    }
    return `/oauth2/authorize?${new URLSearchParams(query)}`
}

/** A code of a sign-in on the hosted pages. */
async function code(run, email, more) {
    const browser = new Browser(run.servers.gateway)
    const left = await browser.signIn(authorize({ identity_provider: "COGNITO", ...more }), email, password)
    const code = new URL(left).searchParams.get("code")
    run.standIns.set(code, "authorization-code-1")
    return code
}

const grant = (code, more = {}) => ({ grant_type: "authorization_code", client_id, code, redirect_uri, code_verifier, ...more })

export const hosted = {
    "oauth2-authorize": {
        about: "Begins a sign-in in a browser.",
        async record(run) {
            const record = (about, more) => run.exchange(about, get(authorize(more)))
            await record("The sign-in page.", {})
            await record("The gateway's own methods.", { identity_provider: "COGNITO" })
            await record("Apple.", { identity_provider: "SignInWithApple" })
            await record("An unknown provider has the page.", { identity_provider: "Nobody" })
            await record("An unknown app.", { client_id: "nobody" })
        }
    },

    "oauth2-token": {
        about: "Redeems a code, or refreshes tokens.",
        async record(run) {
            const record = (about, body, headers) => run.exchange(about, post("/oauth2/token", body, headers))
            const email = await run.person()
            const first = grant(await code(run, email))
            const { refresh_token } = await record("A code.", first)
            await record("The code was used.", first)
            const other = await run.person("amy@example.com")
            await record("Another address.", grant(await code(run, other), { redirect_uri: "https://other.example/" }))
            await record("Another verifier.", grant(await code(run, other), { code_verifier: "a".repeat(43) }))
            await record("The verifier is missing.", { grant_type: "authorization_code", client_id, code: "x", redirect_uri })
            const refreshing = { grant_type: "refresh_token", client_id }
            const answer = await run.prepare(post("/oauth2/token", grant(await code(run, other))))
            await run.nextSecond()
            await record("A refresh.", { ...refreshing, refresh_token: answer.refresh_token })
            await record("The session of the used code has ended.", { ...refreshing, refresh_token })
            await record("An unknown refresh token.", { ...refreshing, refresh_token: "unknown" })
            await record("The refresh token is missing.", refreshing)
            await record("Another grant.", { grant_type: "client_credentials", client_id })
            await record("The grant is missing.", { client_id })
            await record("An unknown app.", { ...refreshing, client_id: "nobody", refresh_token: "x" })
            const basic = Buffer.from(`${apps.confidential}:wrong`).toString("base64")
            await record(
                "A confidential app with another secret.", { ...refreshing, refresh_token: "x" },
                { authorization: `Basic ${basic}` })
        }
    },

    "oauth2-userInfo": {
        about: "The claims of an access token's user.",
        async record(run) {
            const record = (about, headers) => run.exchange(about, get("/oauth2/userInfo", headers))
            const answer = await run.prepare(post("/oauth2/token", grant(await code(run, await run.person()))))
            await record("An access token of a sign-in in a browser.", bearer(answer.access_token))
            const { AccessToken } = await signedIn(run, "amy@example.com")
            await record("An access token without the scope openid.", bearer(AccessToken))
            await record("The token is missing.")
            await record("The token is none of the gateway's.", bearer("unknown"))
        }
    },

    "oauth2-revoke": {
        about: "Ends the session of a refresh token.",
        async record(run) {
            const record = (about, body) => run.exchange(about, post("/oauth2/revoke", body))
            const email = await run.person()
            const answer = await run.prepare(post("/oauth2/token", grant(await code(run, email))))
            const { refresh_token: token, access_token: AccessToken } = answer
            await record("A refresh token.", { client_id, token })
            await record("The same again.", { client_id, token })
            await run.exchange("UserInfo afterwards.", get("/oauth2/userInfo", bearer(AccessToken)))
            await record("The token is missing.", { client_id })
            await record("An unknown app.", { client_id: "nobody", token })
        }
    },

    logout: {
        about: "Ends the session of the browser.",
        async record(run) {
            const record = (about, query) => run.exchange(about, get(`/logout?${new URLSearchParams(query)}`))
            await record("A registered address.", { client_id, logout_uri: redirect_uri })
            await record("Another sign-in.", { client_id, redirect_uri, response_type: "code", scope: "openid" })
            await record("An unregistered address.", { client_id, logout_uri: "https://other.example/" })
            await record("An unknown app.", { client_id: "nobody", logout_uri: redirect_uri })
        }
    },

    "well-known": {
        about: "The documents of the pool.",
        async record(run) {
            for (const name of ["openid-configuration", "jwks.json"]) {
                await run.exchange(`${name}.`, get(`/${pool}/.well-known/${name}`))
                await run.exchange(`${name} of an unknown pool.`, get(`/eu-central-1_Unknown00/.well-known/${name}`))
            }
        }
    },

    form: {
        about: "Faults in the form of a call.",
        async record(run) {
            const right = request("InitiateAuth", initiate("USER_AUTH", { USERNAME: "ann@example.com" }))
            const changed = (headers, body = right.body) => ({ ...right, headers: { ...right.headers, ...headers }, body })
            const target = name => ({ "x-amz-target": `AWSCognitoIdentityProviderService.${name}` })
            await run.exchange("An unknown operation.", changed(target("DescribeNothing")))
            await run.exchange("An operation for administrators.", changed(target("AdminGetUser")))
            await run.exchange("Another content type.", changed({ "content-type": "application/json" }))
            await run.exchange("The body is no JSON.", changed({}, "{"))
            await run.exchange("The body is no object.", changed({}, "[]"))
            await run.exchange("A member has another type.", changed({}, { ...right.body, ClientId: 1 }))
            await run.exchange("A map has another type.", changed({}, { ...right.body, AuthParameters: "text" }))
            await run.exchange("An unknown member has no effect.", changed({}, { ...right.body, Unknown: true }))
        }
    }
}
