// Version 2: the calls about one method.
import { password } from "../people.mjs"
import { recording } from "./native.mjs"
import { begin, challenged, choice, follow, quietly, sharedRefusals } from "./native-v2.mjs"
import { protectedByMailbox } from "./native-sign-in.mjs"

/** A sign-in of a protected account after its password. */
async function secondFactor(run, standIn) {
    const person = await protectedByMailbox(run, standIn)
    const verify = await challenged(run, person.email, "password")
    return { ...person, answer: await quietly(run, follow(verify, "verify", { password })) }
}

export const methods = {
    "api-v2.0-methods-challenge": recording("Sends a code, or asks for the password.", async run => {
        const email = await run.person()
        await run.exchange("A password.", choice(await begin(run, "sign_in", email), "password"))
        const offered = await begin(run, "sign_in", email)
        await run.exchange("A code by mail.", choice(offered, "email"))
        await run.exchange("The method was chosen before.", choice(offered, "password"))
        await run.exchange("The code of a reset.", choice(await begin(run, "reset_password", email), "email"))
        const { answer } = await secondFactor(run, "ava@example.com")
        await run.exchange("The code of a second factor.", choice(answer, "email"))
        const unknown = choice(await begin(run, "sign_in", email), "email")
        await run.exchange("An unknown method.", { ...unknown, path: unknown.path.replace("email_otp", "unknown") })
        await sharedRefusals(run, unknown)
    }),

    "api-v2.0-methods-verify": recording("Proves a code or a password.", async run => {
        const email = await run.person()
        const byPassword = await challenged(run, email, "password")
        await run.exchange("A wrong password keeps the continuation token.", follow(byPassword, "verify", { password: "not the password" }))
        await run.exchange("The password is missing.", follow(byPassword, "verify"))
        await run.exchange("The right password.", follow(byPassword, "verify", { password }))
        await run.exchange("The continuation token was used.", follow(byPassword, "verify", { password }))
        const byCode = await challenged(run, email, "email")
        const code = await run.code(email, 2)
        await run.exchange("A wrong code keeps the continuation token.", follow(byCode, "verify", { otp: run.wrong(code) }))
        await run.exchange("The code is missing.", follow(byCode, "verify"))
        await run.exchange("The right code.", follow(byCode, "verify", { otp: code }))
        const { second, email: other } = await protectedByMailbox(run, "ava@example.com")
        const protectedOne = await challenged(run, other, "password")
        const asked = await run.exchange("A second factor is asked for.", follow(protectedOne, "verify", { password }))
        const verify = await quietly(run, choice(asked, "email"))
        const right = await run.code(second, 2)
        await run.exchange("Its code is right.", follow(verify, "verify", { otp: right }))
        await sharedRefusals(run, follow(await challenged(run, email, "password"), "verify", { password }))
    }),

    "api-v2.0-methods-resend": recording("Sends another code.", async run => {
        const verify = await challenged(run, await run.person(), "email")
        await run.exchange("Another code a moment after the first.", follow(verify, "resend"))
        const later = follow(verify, "resend")
        await run.exchangeLater("Another code.", later)
        await run.exchange("The continuation token was used.", later)
        await sharedRefusals(run, follow(await challenged(run, await run.person("amy@example.com"), "email"), "resend"))
    })
}
