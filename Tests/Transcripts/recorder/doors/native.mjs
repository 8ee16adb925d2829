// Calls of Microsoft's native authentication, version 1, and the apps that make them.
import { password } from "../people.mjs"

export const tenant = "contoso.onmicrosoft.com"
const tenantID = "6f1c2d3e-4b5a-4978-8796-a5b4c3d2e1f0"
/** The application ids; README.md has the settings of each. */
export const apps = {
    usual: "0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f1", demanding: "0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f2",
    revealing: "0f1e2d3c-4b5a-4978-8796-a5b4c3d2e1f3"
}
export const correlation = "00000000-0000-4000-8000-00000000c0de"

export const scope = "openid profile offline_access"
export const types = { challenge_type: "oob password redirect" }
export const codes = { challenge_type: "oob redirect" }
export const capabilities = { capabilities: "mfa_required registration_required" }

/** A call's request; a field without a value is left out. */
export function request(path, fields, name = tenant) {
    const body = Object.fromEntries(
        Object.entries({ client_id: apps.usual, ...fields }).filter(([, value]) => value !== undefined))
    const headers = { "content-type": "application/x-www-form-urlencoded", "client-request-id": correlation }
    return { method: "POST", path: `/${name}${path}`, headers, body }
}

/** The operations of one path: `record` and `prepare` take fields, and resolve with the answer's body. */
export function operation(path, about, record) {
    return recording(about, run => record(run, (words, fields, name) => run.exchange(words, request(path, fields, name))))
}

/** An operation that makes its requests itself. */
export function recording(about, record) {
    return {
        about,
        async record(run) {
            for (const id of [correlation, tenantID, ...Object.values(apps)]) run.standIns.set(id, id)
            await record(run)
        }
    }
}

export const prepare = (run, path, fields) => run.prepare(request(path, fields))

/** A refusal that continues the sign-in: `mfa_required` or `registration_required`. */
export async function interrupted(run, path, fields) {
    const answer = await run.send(request(path, fields))
    run.learn(answer.body)
    if (answer.body.continuation_token === undefined) throw new Error(JSON.stringify(answer.body))
    return answer.body.continuation_token
}

/** The first two calls of a sign-in; resolves with the continuation token. */
export async function begin(run, username, list = types, more = {}) {
    const first = await prepare(run, "/oauth2/v2.0/initiate", { username, ...list, ...more })
    const app = more.client_id && { client_id: more.client_id }
    const next = await prepare(run, "/oauth2/v2.0/challenge", { ...first, ...list, ...app })
    return next.continuation_token
}

/** The fields of a grant by password. */
export const passwordGrant = (continuation_token, word = password) =>
    ({ grant_type: "password", continuation_token, password: word, scope, client_info: "true" })

/** The refusals that every path shares. */
export async function sharedRefusals(record, fields) {
    await record("An unknown app.", { ...fields, client_id: "00000000-0000-4000-8000-00000000dead" })
    await record("The app is missing.", { ...fields, client_id: undefined })
    await record("An unknown tenant.", fields, "fabrikam.onmicrosoft.com")
}

/** The refusals of a continuation token. */
export async function refusedTokens(run, record, fields, foreign) {
    await record("The continuation token is missing.", fields)
    await record("The continuation token is none of the gateway's.", { ...fields, continuation_token: "unknown" })
    await record("The continuation token is of another series.", { ...fields, continuation_token: foreign })
    await sharedRefusals(record, { ...fields, continuation_token: foreign })
}

/** A continuation token of a reset that just began. */
export async function resetToken(run) {
    const answer = await prepare(run, "/resetpassword/v1.0/start", { username: run.address("nobody@example.com"), ...codes })
    return answer.continuation_token
}

/** A continuation token of a sign-in that just began. */
export async function signInToken(run) {
    const answer = await prepare(run, "/oauth2/v2.0/initiate", { username: run.address("no-one@example.com"), ...types })
    return answer.continuation_token
}
