// /oauth2/v2.0: sign-in, second factors and tokens.
import { otherPassword, password, signedUp } from "../people.mjs"
import {
    apps, begin, capabilities, codes, interrupted, operation, passwordGrant, prepare, refusedTokens, resetToken, scope,
    sharedRefusals, tenant, types
} from "./native.mjs"

const token = "/oauth2/v2.0/token"

/** An account with a second mailbox as its second factor. */
export async function protectedByMailbox(run, standIn) {
    const email = run.address(standIn)
    const second = run.address(standIn.replace("@", ".second@"))
    const { answer } = await signedUp(run.servers, email)
    const bearer = answer.session.access_token
    const { flow } = await run.servers.prepare("POST", "/v1/account/factors", { type: "email", email: second }, bearer)
    const response = { code: await run.code(second) }
    await run.servers.prepare("POST", "/v1/account/factors/confirm", { flow, response }, bearer)
    return { email, second }
}

/** The token of `mfa_required` for such an account. */
async function secondFactor(run, standIn) {
    const person = await protectedByMailbox(run, standIn)
    const first = await begin(run, person.email, types, capabilities)
    return { ...person, continuation_token: await interrupted(run, token, passwordGrant(first)) }
}

const code = (continuation_token, oob, more = {}) => ({ grant_type: "oob", continuation_token, oob, scope, ...more })

async function tokensByCode(run, record) {
    const email = await run.person("amy@example.com")
    const asked = await begin(run, email, codes)
    const right = await run.code(email, 2)
    await record("A wrong code keeps the continuation token.", code(asked, run.wrong(right)))
    await record("The code is missing.", code(asked))
    await record("The right code.", code(asked, right))
    await record("The continuation token was used.", code(asked, right))
}

async function tokensBySecondFactor(run, record) {
    const { email, second } = await protectedByMailbox(run, "ava@example.com")
    await record("A second factor, without the capability.", passwordGrant(await begin(run, email)))
    const first = await begin(run, email, types, capabilities)
    const asked = await record("A second factor is asked for.", passwordGrant(first))
    const { methods, continuation_token } = await prepare(run, "/oauth2/v2.0/introspect", {
        continuation_token: asked.continuation_token
    })
    const challenge = await prepare(run, "/oauth2/v2.0/challenge", { continuation_token, id: methods[0].id })
    const right = await run.code(second, 3)
    const mfa = { grant_type: "mfa_oob" }
    await record("Its code is wrong.", code(challenge.continuation_token, run.wrong(right), mfa))
    await record("Its code is right.", code(challenge.continuation_token, right, mfa))
    const demanding = { client_id: apps.demanding }
    const other = await run.person("abe@example.com")
    const missing = await begin(run, other, types, { ...capabilities, ...demanding })
    await record("A second factor is demanded, and the user has none.", { ...passwordGrant(missing), ...demanding })
}

async function tokensByRefresh(run, record, refresh_token) {
    const refresh = { grant_type: "refresh_token", scope, client_info: "1" }
    await run.nextSecond()
    const next = await record("A refresh.", { ...refresh, refresh_token })
    await record("An unknown refresh token.", { ...refresh, refresh_token: "unknown" })
    await record("The refresh token is missing.", refresh)
    await record("A refresh token of another app.", {
        ...refresh, refresh_token: next.refresh_token, client_id: apps.revealing
    })
}

export const signIns = {
    "oauth2-v2.0-initiate": operation("/oauth2/v2.0/initiate", "Begins a sign-in.", async (run, record) => {
        const username = await run.person()
        await record("A user.", { username, ...types })
        const nobody = run.address("nobody@example.com")
        await record("The name has no account: the same answer.", { username: nobody, ...types })
        await record("The same in an app that reveals users.", { username: nobody, ...types, client_id: apps.revealing })
        await record("The name is missing.", types)
        await record("The list has no redirect.", { username, challenge_type: "oob password" })
        await record("An unknown challenge type.", { username, challenge_type: "magic redirect" })
        await record("The list is missing.", { username })
        await sharedRefusals(record, { username, ...types })
    }),

    "oauth2-v2.0-challenge": operation("/oauth2/v2.0/challenge", "Asks for a password or sends a code.", async (run, record) => {
        const username = await run.person()
        const start = list => prepare(run, "/oauth2/v2.0/initiate", { username, ...list })
        await record("A password.", { ...await start(types), ...types })
        const asked = await record("A code.", { ...await start(codes), ...codes })
        const { continuation_token } = asked
        await record("Another code a moment after the first.", { continuation_token, ...codes })
        await record("The app takes no code and no password.", { ...await start(types), challenge_type: "redirect" })
        await record("The list has no redirect.", { ...await start(types), challenge_type: "oob" })
        const factor = await secondFactor(run, "amy@example.com")
        const introspected = await prepare(run, "/oauth2/v2.0/introspect", { continuation_token: factor.continuation_token })
        const [{ id }] = introspected.methods
        await record("A second factor.", { continuation_token: introspected.continuation_token, id })
        const again = await secondFactor(run, "ada@example.com")
        await record("A second factor without its id.", { continuation_token: again.continuation_token })
        await record("An unknown second factor.", { continuation_token: again.continuation_token, id: "unknown" })
        await record("The continuation token is missing.", types)
        await record("The continuation token is none of the gateway's.", { continuation_token: "unknown", ...types })
        await sharedRefusals(record, { continuation_token, ...types })
    }),

    "oauth2-v2.0-introspect": operation("/oauth2/v2.0/introspect", "The second factors of a user.", async (run, record) => {
        const { continuation_token } = await secondFactor(run, "ann@example.com")
        await record("One mailbox.", { continuation_token })
        const first = await begin(run, await run.person("amy@example.com"))
        await record("No second factor is asked for.", { continuation_token: first })
        await refusedTokens(run, record, {}, await resetToken(run))
    }),

    "oauth2-v2.0-token": operation(token, "Ends a sign-in with tokens, or refreshes them.", async (run, record) => {
        const email = await run.person()
        const first = await begin(run, email)
        await record("A wrong password keeps the continuation token.", passwordGrant(first, otherPassword))
        const { refresh_token } = await record("The right password.", passwordGrant(first))
        await record("The password is missing.", { ...passwordGrant(first), password: undefined })
        const nobody = await begin(run, run.address("nobody@example.com"))
        await record("The name has no account.", passwordGrant(nobody))
        await tokensByCode(run, record)
        await tokensBySecondFactor(run, record)
        await tokensByRefresh(run, record, refresh_token)
        await record("Another grant.", { grant_type: "client_credentials", scope })
        await record("The grant is missing.", { scope })
        await refusedTokens(run, record, { grant_type: "password", password, scope }, await resetToken(run))
    }),

    "oauth2-v2.0-authorize": {
        about: "Begins a sign-in in a browser, after a redirect.",
        async record(run) {
            const query = new URLSearchParams({
                client_id: apps.usual, response_type: "code", redirect_uri: "org.example.app:/back", state: "st", scope
            })
            await run.exchange("The sign-in page.", { method: "GET", path: `/${tenant}/oauth2/v2.0/authorize?${query}`, headers: {} })
        }
    },

    "well-known": {
        about: "The documents of the tenant.",
        async record(run) {
            for (const path of ["v2.0/.well-known/openid-configuration", "discovery/v2.0/keys"]) {
                await run.exchange(`${path}.`, { method: "GET", path: `/${tenant}/${path}`, headers: {} })
                await run.exchange("Of an unknown tenant.", { method: "GET", path: `/fabrikam.onmicrosoft.com/${path}`, headers: {} })
            }
        }
    }
}
