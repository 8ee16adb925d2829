// /register/v1.0: a mailbox as second factor, where the app demands one.
import {
    apps, begin, capabilities, interrupted, operation, passwordGrant, prepare, refusedTokens, request, resetToken, scope,
    types
} from "./native.mjs"

const app = { client_id: apps.demanding }

/** The token of `registration_required`. */
async function demanded(run, standIn) {
    const email = await run.person(standIn)
    const first = await begin(run, email, types, { ...capabilities, ...app })
    return await interrupted(run, "/oauth2/v2.0/token", { ...passwordGrant(first), ...app })
}

const mailbox = (continuation_token, challenge_target) =>
    ({ ...app, continuation_token, challenge_type: "oob", challenge_channel: "email", challenge_target })
const oob = (continuation_token, code) => ({ ...app, continuation_token, grant_type: "oob", oob: code })

export const registrations = {
    "register-v1.0-introspect": operation("/register/v1.0/introspect", "The methods that a user can register.", async (run, record) => {
        await record("A mailbox.", { ...app, continuation_token: await demanded(run) })
        const first = await begin(run, await run.person("amy@example.com"))
        await record("No registration is asked for.", { continuation_token: first })
        await refusedTokens(run, record, {}, await resetToken(run))
    }),

    "register-v1.0-challenge": operation("/register/v1.0/challenge", "Sends a code to the new mailbox.", async (run, record) => {
        const token = await demanded(run)
        await record("The address is missing.", mailbox(token))
        const second = run.address("ann.second@example.com")
        const sent = await record("A code.", mailbox(token, second))
        const again = mailbox(sent.continuation_token, second)
        await record("Another code a moment after the first.", again)
        await record("The address has no form.", mailbox(await demanded(run, "ada@example.com"), "text"))
        const email = await run.person("amy@example.com")
        const own = await interrupted(run, "/oauth2/v2.0/token", {
            ...passwordGrant(await begin(run, email, types, { ...capabilities, ...app })), ...app
        })
        await record("The address of the account itself.", mailbox(own, email))
        const fields = { challenge_type: "oob", challenge_target: "ann.second@example.com" }
        await refusedTokens(run, record, fields, await resetToken(run))
    }),

    "register-v1.0-continue": operation("/register/v1.0/continue", "Proves the new mailbox.", async (run, record) => {
        const second = run.address("ann.second@example.com")
        const sent = await prepare(run, "/register/v1.0/challenge", mailbox(await demanded(run), second))
        const { continuation_token } = sent
        const code = await run.code(second)
        await record("A wrong code keeps the continuation token.", oob(continuation_token, run.wrong(code)))
        await record("The code is missing.", oob(continuation_token))
        const done = await record("The right code.", oob(continuation_token, code))
        const grant = { ...app, grant_type: "continuation_token", scope, continuation_token: done.continuation_token }
        await run.exchange("The token endpoint gives tokens.", request("/oauth2/v2.0/token", grant))
        await record("The continuation token was used.", oob(continuation_token, code))
        await refusedTokens(run, record, { grant_type: "oob", oob: "123456" }, await resetToken(run))
    })
}
