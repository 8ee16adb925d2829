// Calls of Microsoft's native authentication, version 2.
import { apps, correlation, request, scope, tenant } from "./native.mjs"

export const authorize = "/oauth2/v2.0/authorize-challenge"

/** A call at a link. */
export const link = (path, continuationToken, members = {}, method = "POST") => ({
    method, path, headers: { "content-type": "application/json", "client-request-id": correlation },
    body: { continuationToken, ...members }
})

/** The end of a journey: a form without the app. */
export const resume = continuation_token => request(authorize, { continuation_token, client_id: undefined })

/** The token request after a journey. */
export const redeem = (code, more = {}) =>
    request("/oauth2/v2.0/token", { grant_type: "authorization_code", code, client_info: "true", scope, ...more })

/** A call that the transcript does not contain; resolves with its body, whatever the status. */
export async function quietly(run, call) {
    const { body } = await run.send(call)
    run.learn(body)
    return body
}

/** The answer to the entry of a journey: `sign_in`, `sign_up` or `reset_password`. */
export async function begin(run, journey, username, client_id = apps.usual) {
    const start = await quietly(run, request(authorize, { client_id }))
    return await quietly(run, link(start[journey], start.continuation_token, username && { username }))
}

/** The call that chooses a method of an answer. */
export function choice(answer, type) {
    const method = answer._embedded.methods.find(method => method.type === type)
    return link(method._links.challenge.href, answer.continuationToken)
}

/** The call that follows a link of an answer. */
export const follow = (answer, relation, members, method) =>
    link(answer._links[relation].href, answer.continuationToken, members, method)

/** A sign-in at its code or its password. */
export async function challenged(run, email, type, journey = "sign_in") {
    return await quietly(run, choice(await begin(run, journey, email), type))
}

/** The refusals that every link shares. */
export async function sharedRefusals(run, call) {
    const { continuationToken, ...members } = call.body
    const at = (words, more) => run.exchange(words, { ...call, ...more })
    await at("The continuation token is missing.", { body: members })
    await at("The continuation token is none of the gateway's.", { body: { ...members, continuationToken: "unknown" } })
    await at("The link is of another tenant.", { path: call.path.replace(tenant, "fabrikam.onmicrosoft.com") })
    const foreign = call.path.endsWith("/start") ? await attributesToken(run) : await startToken(run)
    await at("The continuation token is of another step.", { body: { ...members, continuationToken: foreign } })
    await at("The body is a form.", {
        headers: { ...call.headers, "content-type": "application/x-www-form-urlencoded" }
    })
}

const startToken = async run => (await quietly(run, request(authorize, {}))).continuation_token
const attributesToken = async run => (await begin(run, "sign_up")).continuationToken
