// /signup/v1.0 and /resetpassword/v1.0.
import { otherPassword, password } from "../people.mjs"
import {
    apps, codes, operation, prepare, refusedTokens, request, resetToken, scope, sharedRefusals, signInToken, types
} from "./native.mjs"

const attributes = JSON.stringify({ displayName: "Ann Example", givenName: "Ann", shoe: "41" })
const form = (username, more = {}) => ({ username, password, attributes, ...types, ...more })

/** A sign-up after its first challenge. */
async function challenged(run, standIn) {
    const email = run.address(standIn)
    const first = await prepare(run, "/signup/v1.0/start", form(email))
    const { continuation_token } = await prepare(run, "/signup/v1.0/challenge", { ...first, ...codes })
    return { email, continuation_token, code: await run.code(email) }
}

/** A reset after its challenge. */
async function resetting(run, standIn) {
    const email = await run.person(standIn)
    const first = await prepare(run, "/resetpassword/v1.0/start", { username: email, ...codes })
    const { continuation_token } = await prepare(run, "/resetpassword/v1.0/challenge", { ...first, ...codes })
    return { email, continuation_token, code: await run.code(email, 2) }
}

/** A reset after its code; resolves with the continuation token. */
async function proved(run, standIn) {
    const { continuation_token, code } = await resetting(run, standIn)
    const answer = await prepare(run, "/resetpassword/v1.0/continue", { continuation_token, grant_type: "oob", oob: code })
    return { continuation_token: answer.continuation_token }
}

const oob = (continuation_token, code) => ({ continuation_token, grant_type: "oob", oob: code })
const tokens = fields => request("/oauth2/v2.0/token", { grant_type: "continuation_token", scope, ...fields })

export const signUps = {
    "signup-v1.0-start": operation("/signup/v1.0/start", "Begins a sign-up.", async (run, record) => {
        const username = run.address()
        await record("A password and attributes.", form(username))
        const known = await run.person("amy@example.com")
        await record("The name has an account: the same answer.", form(known))
        await record("The same in an app that reveals users.", form(known, { client_id: apps.revealing }))
        const other = run.address("ada@example.com")
        await record("A short password.", form(other, { password: "short" }))
        await record("A common password.", form(other, { password: "password123" }))
        await record("The password is missing.", form(other, { password: undefined }))
        await record("An attribute is not valid.", form(other, { attributes: JSON.stringify({ age: "old" }) }))
        await record("The attributes are no JSON.", form(other, { attributes: "text" }))
        await record("The name is missing.", form(undefined))
        await record("The name is no address.", form("ann"))
        await record("The list has no redirect.", form(other, { challenge_type: "oob" }))
        await sharedRefusals(record, form(other))
    }),

    "signup-v1.0-challenge": operation("/signup/v1.0/challenge", "Sends the code of a sign-up.", async (run, record) => {
        const first = await prepare(run, "/signup/v1.0/start", form(run.address()))
        const asked = await record("A code.", { ...first, ...codes })
        const again = { continuation_token: asked.continuation_token, ...codes }
        await record("Another code a moment after the first.", again)
        await run.exchangeLater("Later a code is sent.", request("/signup/v1.0/challenge", again))
        await record("The list has no redirect.", { ...again, challenge_type: "oob" })
        await refusedTokens(run, record, codes, await resetToken(run))
    }),

    "signup-v1.0-continue": operation("/signup/v1.0/continue", "Ends a sign-up by its code.", async (run, record) => {
        const { email, continuation_token, code } = await challenged(run)
        await record("A wrong code keeps the continuation token.", oob(continuation_token, run.wrong(code)))
        await record("The code is missing.", oob(continuation_token))
        await record("The grant is missing.", { continuation_token, oob: code })
        const done = await record("The right code.", oob(continuation_token, code))
        const signIn = tokens({ continuation_token: done.continuation_token, username: email })
        await run.exchange("The token endpoint gives tokens.", signIn)
        await run.exchange("The token endpoint again.", signIn)
        await record("The continuation token was used.", oob(continuation_token, code))
        await refusedTokens(run, record, { grant_type: "oob", oob: "123456" }, await signInToken(run))
    }),

    "resetpassword-v1.0-start": operation("/resetpassword/v1.0/start", "Begins a reset.", async (run, record) => {
        const username = await run.person()
        await record("A user.", { username, ...codes })
        const nobody = run.address("nobody@example.com")
        await record("The name has no account: the same answer.", { username: nobody, ...codes })
        await record("The same in an app that reveals users.", { username: nobody, ...codes, client_id: apps.revealing })
        await record("The name is missing.", codes)
        await record("The list has no redirect.", { username, challenge_type: "oob" })
        await sharedRefusals(record, { username, ...codes })
    }),

    "resetpassword-v1.0-challenge": operation("/resetpassword/v1.0/challenge", "Sends the code of a reset.", async (run, record) => {
        const username = await run.person()
        const first = await prepare(run, "/resetpassword/v1.0/start", { username, ...codes })
        const { continuation_token } = await record("A code.", { ...first, ...codes })
        await record("Another code a moment after the first.", { continuation_token, ...codes })
        await record("The list has no redirect.", { continuation_token, challenge_type: "oob" })
        await refusedTokens(run, record, codes, await signInToken(run))
    }),

    "resetpassword-v1.0-continue": operation("/resetpassword/v1.0/continue", "Proves the code of a reset.", async (run, record) => {
        const { continuation_token, code } = await resetting(run)
        await record("A wrong code keeps the continuation token.", oob(continuation_token, run.wrong(code)))
        await record("The code is missing.", oob(continuation_token))
        await record("The right code.", oob(continuation_token, code))
        await record("The continuation token was used.", oob(continuation_token, code))
        await refusedTokens(run, record, { grant_type: "oob", oob: "123456" }, await signInToken(run))
    }),

    "resetpassword-v1.0-submit": operation("/resetpassword/v1.0/submit", "Sets the password.", async (run, record) => {
        const token = await proved(run)
        await record("A short password.", { ...token, new_password: "short" })
        await record("A common password.", { ...token, new_password: "password123" })
        await record("The password is missing.", token)
        await record("A password.", { ...token, new_password: otherPassword })
        await record("The continuation token was used.", { ...token, new_password: otherPassword })
        await refusedTokens(run, record, { new_password: otherPassword }, await signInToken(run))
    }),

    "resetpassword-v1.0-poll_completion": operation("/resetpassword/v1.0/poll_completion", "Asks for the end of a reset.", async (run, record) => {
        const token = await proved(run)
        await record("The password was not sent yet.", token)
        const submitted = await prepare(run, "/resetpassword/v1.0/submit", { ...token, new_password: otherPassword })
        const { continuation_token } = submitted
        const done = await record("The password is set.", { continuation_token })
        await record("The same again.", { continuation_token })
        await run.exchange("The token endpoint gives tokens.", tokens({ continuation_token: done.continuation_token }))
        await refusedTokens(run, record, {}, await signInToken(run))
    })
}
