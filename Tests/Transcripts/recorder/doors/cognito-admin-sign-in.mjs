// Sign-ins, passwords and identities as a back end handles them.
import { otherPassword, password } from "../people.mjs"
import { apps, call, passwordAuth, pool, request, tokens } from "./cognito.mjs"
import { ofApp, prepareSigned, refused, signedCall } from "./cognito-signed.mjs"

const signIn = (USERNAME, PASSWORD = password, AuthFlow = "ADMIN_USER_PASSWORD_AUTH") =>
    ({ ...ofApp, AuthFlow, AuthParameters: { USERNAME, PASSWORD } })

const permanent = { Password: otherPassword, Permanent: true }

/** The identity of a user at Apple. */
function identity(run) {
    const subject = `001777.${run.address().slice(1, 17)}.1200`
    run.standIns.set(subject, "001777.0123456789abcdef.1200")
    return {
        ProviderName: "SignInWithApple", ProviderAttributeName: "Cognito_Subject", ProviderAttributeValue: subject
    }
}

const destination = ProviderAttributeValue => ({ ProviderName: "Cognito", ProviderAttributeValue })

export const administeredSignIns = {
    AdminInitiateAuth: {
        about: "A sign-in by the back end.",
        async record(run) {
            const record = (about, body) => signedCall(run, about, "AdminInitiateAuth", body)
            const email = await run.person()
            await record("The right password gives tokens.", signIn(email))
            await record("A wrong password.", signIn(email, otherPassword))
            await record("An unknown user.", signIn(run.address("nobody@example.com")))
            await record("The flow of apps.", signIn(email, password, "USER_PASSWORD_AUTH"))
            await record("An unknown app.", { ...signIn(email), ClientId: "nobody" })
            await record("Another pool.", { ...signIn(email), UserPoolId: "eu-central-1_Nobody" })
            await call(run, "An app can't use the flow.", "InitiateAuth", signIn(email))
            await run.exchange(
                "The signature is missing.", request("AdminInitiateAuth", { UserPoolId: pool, ...signIn(email) }))
        }
    },

    AdminRespondToAuthChallenge: {
        about: "Answers a challenge of such a sign-in.",
        async record(run) {
            const email = run.address()
            const TemporaryPassword = "a first password of a back end 7"
            await prepareSigned(
                run, "AdminCreateUser", { Username: email, MessageAction: "SUPPRESS", TemporaryPassword })
            const asked = await signedCall(
                run, "A temporary password.", "AdminInitiateAuth", signIn(email, TemporaryPassword))
            const answer = NEW_PASSWORD => ({
                ...ofApp, ChallengeName: "NEW_PASSWORD_REQUIRED", Session: asked.Session,
                ChallengeResponses: { USERNAME: email, NEW_PASSWORD }
            })
            const record = (about, body) => signedCall(run, about, "AdminRespondToAuthChallenge", body)
            await record("A short password.", answer("short"))
            await record("A new password gives tokens.", answer(password))
            await record("The session was used.", answer(otherPassword))
            await run.exchange(
                "The signature is missing.",
                request("AdminRespondToAuthChallenge", { UserPoolId: pool, ...answer(password) }))
        }
    },

    AdminUserGlobalSignOut: {
        about: "Ends every session of a user.",
        async record(run) {
            const Username = await run.person()
            const { AccessToken } = await tokens(run, Username, ofApp)
            await signedCall(run, "A user with a session.", "AdminUserGlobalSignOut", { Username })
            await call(run, "The access token of the session.", "GetUser", { AccessToken })
            await signedCall(run, "No session is left.", "AdminUserGlobalSignOut", { Username })
            await refused(run, "AdminUserGlobalSignOut")
        }
    },

    AdminSetUserPassword: {
        about: "Sets a password, for good or for one sign-in.",
        async record(run) {
            const record = (about, body) => signedCall(run, about, "AdminSetUserPassword", body)
            const Username = await run.person()
            await record("A short password.", { Username, Password: "short", Permanent: true })
            await record("A password.", { Username, ...permanent })
            await call(
                run, "The new password gives tokens.", "InitiateAuth", passwordAuth(Username, ofApp, otherPassword))
            await record("A password for one sign-in.", { Username, Password: password })
            await call(run, "It asks for another one.", "InitiateAuth", passwordAuth(Username, ofApp))
            await record("The password is missing.", { Username, Permanent: true })
            await refused(run, "AdminSetUserPassword", permanent)
        }
    },

    AdminResetUserPassword: {
        about: "Demands a reset of the password.",
        async record(run) {
            const Username = await run.person()
            await signedCall(run, "A user.", "AdminResetUserPassword", { Username })
            await call(run, "The old password.", "InitiateAuth", passwordAuth(Username, ofApp))
            await refused(run, "AdminResetUserPassword")
        }
    },

    AdminLinkProviderForUser: {
        about: "Links the identity of a provider to a user.",
        async record(run) {
            const record = (about, body) => signedCall(run, about, "AdminLinkProviderForUser", body)
            const [email, other] = [await run.person("amy@example.com"), await run.person("ada@example.com")]
            const SourceUser = identity(run)
            await record("An unknown identity.", { SourceUser, DestinationUser: destination(email) })
            await record("The identity of another user.", { SourceUser, DestinationUser: destination(other) })
            const nobody = destination(run.address("nobody@example.com"))
            await record("An unknown user.", { SourceUser, DestinationUser: nobody })
            const attribute = { ...SourceUser, ProviderAttributeName: "email" }
            await record("By another attribute.", { SourceUser: attribute, DestinationUser: destination(email) })
            await record("An unknown provider.", {
                SourceUser: { ...SourceUser, ProviderName: "Nobody" }, DestinationUser: destination(email)
            })
            await record("The user is missing.", { SourceUser })
        }
    },

    AdminDisableProviderForUser: {
        about: "Unlinks the identity of a provider.",
        async record(run) {
            const record = (about, body) => signedCall(run, about, "AdminDisableProviderForUser", body)
            const email = await run.person("amy@example.com")
            const User = identity(run)
            await prepareSigned(
                run, "AdminLinkProviderForUser", { SourceUser: User, DestinationUser: destination(email) })
            await record("A linked identity.", { User })
            await record("An unknown identity.", { User })
            await record("The user's own sign-in.", { User: { ...User, ProviderName: "COGNITO" } })
            await record("The identity is missing.", {})
        }
    }
}
