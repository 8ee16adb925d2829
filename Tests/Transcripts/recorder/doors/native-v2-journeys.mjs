// Version 2: the start and the end of a journey, its entries, and the calls that concern no method.
import { otherPassword, password } from "../people.mjs"
import { apps, recording, request } from "./native.mjs"
import { authorize, begin, challenged, follow, link, quietly, redeem, resume, sharedRefusals } from "./native-v2.mjs"

/** The authorization code of a sign-in with a password. */
async function finished(run, email) {
    const done = await quietly(run, follow(await challenged(run, email, "password"), "verify", { password }))
    return (await run.exchange("The end of a journey.", resume(done.continuationToken))).code
}

/** The call at an entry of a journey. */
async function entry(run, journey, members, client_id = apps.usual) {
    const start = await quietly(run, request(authorize, { client_id }))
    return link(start[journey], start.continuation_token, members)
}

async function entries(run, journey) {
    const username = await run.person()
    await run.exchange("A user.", await entry(run, journey, { username }))
    const nobody = { username: run.address("nobody@example.com") }
    await run.exchange("The name has no account: the same answer.", await entry(run, journey, nobody))
    await run.exchange("The same in an app that reveals users.", await entry(run, journey, nobody, apps.revealing))
    await run.exchange("The name is missing.", await entry(run, journey))
    await run.exchange("The name is no name.", await entry(run, journey, { username: "@" }))
    await sharedRefusals(run, await entry(run, journey, { username }))
}

/** A sign-up after its code. */
async function proved(run, standIn, attributes = {}) {
    const email = run.address(standIn)
    const sent = { attributes: { email, ...attributes } }
    const verify = await quietly(run, follow(await begin(run, "sign_up"), "submitAttributes", sent))
    return await quietly(run, follow(verify, "verify", { otp: await run.code(email) }))
}

/** A reset after its code. */
async function resetting(run, standIn) {
    const email = await run.person(standIn)
    const verify = await challenged(run, email, "email", "reset_password")
    return await quietly(run, follow(verify, "verify", { otp: await run.code(email, 2) }))
}

export const journeys = {
    "oauth2-v2.0-authorize-challenge": recording("The start and the end of a journey.", async run => {
        const at = (words, fields, name) => run.exchange(words, request(authorize, fields, name))
        await at("The start.", {})
        await at("A start with a scope.", { scope: "openid offline_access" })
        await at("The app is missing.", { client_id: undefined })
        await at("An unknown app.", { client_id: "00000000-0000-4000-8000-00000000dead" })
        await at("An unknown tenant.", {}, "fabrikam.onmicrosoft.com")
        const verify = await challenged(run, await run.person(), "password")
        await run.exchange("The journey is not at its end.", resume(verify.continuationToken))
        const code = await finished(run, await run.person("amy@example.com"))
        const other = await finished(run, await run.person("ada@example.com"))
        await run.exchange("The continuation token is none of the gateway's.", resume("unknown"))
        await run.exchange("The token endpoint takes the code, without a proof key.", redeem(code))
        await run.exchange("The code was used.", redeem(code))
        await run.exchange("A code of another app.", redeem(other, { client_id: apps.revealing }))
        await run.exchange("A code of the gateway's own pages has a proof key.", redeem("hc_unknown"))
    }),

    "api-v2.0-signin-start": recording("Begins a sign-in.", run => entries(run, "sign_in")),

    "api-v2.0-resetpassword-start": recording("Begins a reset.", run => entries(run, "reset_password")),

    "api-v2.0-signup-start": recording("Begins a sign-up.", async run => {
        await run.exchange("Without a name.", await entry(run, "sign_up"))
        await run.exchange("With a name.", await entry(run, "sign_up", { username: run.address() }))
        await sharedRefusals(run, await entry(run, "sign_up"))
    }),

    "api-v2.0-signup-attributes": recording("The address of a sign-up, and the data after its code.", async run => {
        const asked = await begin(run, "sign_up")
        const submit = (words, attributes, answer = asked) =>
            run.exchange(words, follow(answer, "submitAttributes", { attributes }))
        await submit("An address.", { email: run.address() })
        const known = await run.person("amy@example.com")
        await submit("The address has an account: the same answer.", { email: known })
        const revealing = await begin(run, "sign_up", undefined, apps.revealing)
        await submit("The same in an app that reveals users.", { email: known }, revealing)
        await submit("The address has no form.", { email: "ann" })
        const email = run.address("ada@example.com")
        await submit("A short password.", { email, password: "short" })
        await submit("An attribute is not valid.", { email, age: "old" })
        await submit("Everything at once.", { email, password, displayName: "Ada Example", givenName: "Ada", shoe: 41 })
        await run.exchange("The attributes are missing.", follow(asked, "submitAttributes"))
        const lacking = await proved(run, "ava@example.com")
        await submit("After the code: a common password.", { password: "password123" }, lacking)
        await submit("The password is missing.", { displayName: "Ava Example" }, lacking)
        await submit("Everything that was missing.", { password, displayName: "Ava Example", tier: "gold" }, lacking)
        await submit("The sign-up is done.", { password }, lacking)
        await sharedRefusals(run, follow(await begin(run, "sign_up"), "submitAttributes", { attributes: { email } }))
    }),

    "api-v2.0-resetpassword-password": recording("Sets the password.", async run => {
        const update = await resetting(run)
        const put = (words, newPassword) => run.exchange(words, follow(update, "update", { newPassword }, "PUT"))
        await put("A short password.", "short")
        await put("A common password.", "password123")
        await put("The password is missing.")
        await put("A password.", otherPassword)
        await put("The continuation token was used.", otherPassword)
        await sharedRefusals(run, follow(await resetting(run, "amy@example.com"), "update", { newPassword: otherPassword }, "PUT"))
    }),

    "api-v2.0-resetpassword-poll": recording("Asks for the end of a reset.", async run => {
        const poll = await quietly(run, follow(await resetting(run), "update", { newPassword: otherPassword }, "PUT"))
        const done = await run.exchange("The password is set.", follow(poll, "poll"))
        const { code } = await run.exchange("The end of the journey.", resume(done.continuationToken))
        await run.exchange("The token endpoint takes the code of the journey.", redeem(code))
        await sharedRefusals(run, follow(poll, "poll"))
    })
}
