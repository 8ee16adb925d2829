// Sign-up, its confirmation, and passwords.
import { otherPassword, password } from "../people.mjs"
import { apps, call, initiate, prepare, refusedTokens, request, secretHash, signedIn } from "./cognito.mjs"

const ClientId = apps.usual
const form = (Username, more = {}) => ({ ClientId, Username, Password: password, ...more })

/** A sign-up that waits for its code. */
async function waiting(run, standIn) {
    const email = run.address(standIn)
    const { Session } = await prepare(run, "SignUp", form(email))
    return { email, Session, code: await run.code(email) }
}

export const signUps = {
    SignUp: {
        about: "Creates an account, which waits for its code.",
        async record(run) {
            const record = (about, body) => call(run, about, "SignUp", body)
            const attributes = email => [
                { Name: "email", Value: email }, { Name: "name", Value: "Ann Example" },
                { Name: "given_name", Value: "Ann" }, { Name: "custom:tier", Value: "gold" }
            ]
            const email = run.address()
            await record("A code is sent.", form(email, { UserAttributes: attributes(email) }))
            const known = await run.person("amy@example.com")
            await record("The name has an account: the same answer.", form(known))
            await record("The same in an app that reveals users.", form(known, { ClientId: apps.revealing }))
            await record("A short password.", form(run.address("ada@example.com"), { Password: "short" }))
            await record("A common password.", form(run.address("abe@example.com"), { Password: "password123" }))
            const shoe = [{ Name: "custom:shoe", Value: "41" }]
            await record("An unknown attribute.", form(run.address("ava@example.com"), { UserAttributes: shoe }))
            await record("The name is no address.", form("ann"))
            await record("The name is missing.", { ClientId, Password: password })
            await record("The password is missing.", { ClientId, Username: run.address("ali@example.com") })
            await record("An unknown app.", form(email, { ClientId: "nobody" }))
            const secret = { ClientId: apps.confidential }
            const other = run.address("art@example.com")
            await record("A confidential app without its hash.", form(other, secret))
            await record("A confidential app.", form(other, { ...secret, SecretHash: secretHash(run, other) }))
        }
    },

    ConfirmSignUp: {
        about: "Confirms a sign-up by its code; the session of the answer signs in.",
        async record(run) {
            const record = (about, body) => call(run, about, "ConfirmSignUp", { ClientId, ...body })
            const { email: Username, Session, code } = await waiting(run)
            await record("A wrong code.", { Username, ConfirmationCode: run.wrong(code) })
            const signedUp = await record("The right code.", { Username, ConfirmationCode: code, Session })
            const signIn = initiate("USER_AUTH", { USERNAME: Username }, { Session: signedUp.Session })
            await call(run, "InitiateAuth with the session gives tokens.", "InitiateAuth", signIn)
            await call(run, "InitiateAuth with the used session.", "InitiateAuth", signIn)
            await record("The account is confirmed already.", { Username, ConfirmationCode: code })
            const nobody = run.address("nobody@example.com")
            await record("Nothing waits for a code.", { Username: nobody, ConfirmationCode: "123456" })
            await record("The code is missing.", { Username })
            await record("An unknown app.", { Username, ConfirmationCode: code, ClientId: "nobody" })
            const revealing = { Username: nobody, ConfirmationCode: "123456", ClientId: apps.revealing }
            await record("An app that reveals users: the name has no account.", revealing)
        }
    },

    ResendConfirmationCode: {
        about: "Sends another code of a sign-up, half a minute after the one before. The answer is the same for every name.",
        async record(run) {
            const record = (about, body) => call(run, about, "ResendConfirmationCode", { ClientId, ...body })
            const { email: Username } = await waiting(run)
            await record("A moment after the first code the answer is the same, and no code is sent.", { Username })
            await run.exchangeLater("Later a code is sent.", request("ResendConfirmationCode", { ClientId, Username }))
            await record("Nothing waits for a code.", { Username: run.address("nobody@example.com") })
            await record("The account is confirmed.", { Username: await run.person("amy@example.com") })
            await record("The name is missing.", {})
            await record("An unknown app.", { Username, ClientId: "nobody" })
        }
    },

    ForgotPassword: {
        about: "Sends the code of a reset.",
        async record(run) {
            const record = (about, body) => call(run, about, "ForgotPassword", { ClientId, ...body })
            const Username = await run.person()
            await record("A code is sent.", { Username })
            const nobody = run.address("nobody@example.com")
            await record("The name has no account: the same answer.", { Username: nobody })
            await record("The same in an app that reveals users.", { Username: nobody, ClientId: apps.revealing })
            await record("The name is missing.", {})
            await record("An unknown app.", { Username, ClientId: "nobody" })
        }
    },

    ConfirmForgotPassword: {
        about: "Sets the password by the code of a reset.",
        async record(run) {
            const record = (about, body) =>
                call(run, about, "ConfirmForgotPassword", { ClientId, Password: otherPassword, ...body })
            const Username = await run.person()
            await prepare(run, "ForgotPassword", { ClientId, Username })
            const code = await run.code(Username, 2)
            await record("A wrong code.", { Username, ConfirmationCode: run.wrong(code) })
            await record("A short password.", { Username, ConfirmationCode: code, Password: "short" })
            await record("The right code.", { Username, ConfirmationCode: code })
            await record("The code was used.", { Username, ConfirmationCode: code })
            const nobody = run.address("nobody@example.com")
            await record("No code was asked for.", { Username: nobody, ConfirmationCode: "123456" })
            await prepare(run, "ForgotPassword", { ClientId, Username: nobody })
            await record("The name has no account.", { Username: nobody, ConfirmationCode: "123456" })
            await record("The code is missing.", { Username })
            await record("An unknown app.", { Username, ConfirmationCode: code, ClientId: "nobody" })
        }
    },

    ChangePassword: {
        about: "Replaces the password.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            const record = (about, PreviousPassword, ProposedPassword) =>
                call(run, about, "ChangePassword", { AccessToken, PreviousPassword, ProposedPassword })
            await record("The previous password is wrong.", otherPassword, otherPassword)
            await record("The proposed password is short.", password, "short")
            await record("The proposed password is missing.", password)
            await record("The right previous password.", password, otherPassword)
            await refusedTokens(run, "ChangePassword", { PreviousPassword: password, ProposedPassword: otherPassword })
        }
    }
}
