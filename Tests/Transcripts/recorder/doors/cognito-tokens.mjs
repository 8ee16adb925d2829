// Refresh, revocation and sign-out.
import { password } from "../people.mjs"
import { apps, call, prepare, refusedTokens, secretHash, signedIn, tokens } from "./cognito.mjs"

const ClientId = apps.usual

/** A refresh token of the app that demands a second factor and rotates: its user sets up a mailbox. */
async function rotating(run) {
    const [email, second] = [await run.person("amy@example.com"), run.address("amy.second@example.com")]
    const app = { ClientId: apps.demanding }
    const asked = await prepare(run, "InitiateAuth", {
        AuthFlow: "USER_PASSWORD_AUTH", ...app,
        AuthParameters: { USERNAME: email, PASSWORD: password }
    })
    const answer = (ChallengeName, { Session }, ChallengeResponses) =>
        prepare(run, "RespondToAuthChallenge", { ChallengeName, Session, ChallengeResponses, ...app })
    const sent = await answer("MFA_SETUP", asked, { USERNAME: email, EMAIL: second })
    const code = { USERNAME: email, EMAIL_OTP_CODE: await run.code(second) }
    return (await answer("EMAIL_OTP", sent, code)).AuthenticationResult.RefreshToken
}

export const refreshes = {
    GetTokensFromRefreshToken: {
        about: "New tokens; a new refresh token where the app rotates it.",
        async record(run) {
            const record = (about, RefreshToken, more) =>
                call(run, about, "GetTokensFromRefreshToken", { ClientId, RefreshToken, ...more })
            const { RefreshToken } = await signedIn(run)
            await run.nextSecond()
            await record("The app keeps refresh tokens.", RefreshToken)
            const rotated = { ClientId: apps.demanding }
            const first = await rotating(run)
            const next = await record("The app rotates refresh tokens.", first, rotated)
            const { RefreshToken: second } = next.AuthenticationResult
            await record("The new one.", second, rotated)
            await record("The first one again.", first, rotated)
            await record("The reuse ended the session.", second, rotated)
            await record("A refresh token of another app.", RefreshToken, { ClientId: apps.revealing })
            await record("An unknown refresh token.", "unknown")
            await record("The refresh token is missing.")
            await record("An unknown app.", RefreshToken, { ClientId: "nobody" })
            await record("A confidential app without its secret.", RefreshToken, { ClientId: apps.confidential })
            await prepare(run, "RevokeToken", { ClientId, Token: RefreshToken })
            await record("A revoked refresh token.", RefreshToken)
        }
    },

    RevokeToken: {
        about: "Ends the session of a refresh token.",
        async record(run) {
            const record = (about, Token, more) => call(run, about, "RevokeToken", { ClientId, Token, ...more })
            const { AccessToken, RefreshToken } = await signedIn(run)
            await record("An access token.", AccessToken)
            await record("An unknown token.", "unknown")
            await record("A refresh token.", RefreshToken)
            await record("The same again.", RefreshToken)
            await call(run, "GetUser with an access token of the session.", "GetUser", { AccessToken })
            await record("The token is missing.")
            await record("An unknown app.", RefreshToken, { ClientId: "nobody" })
            const app = { ClientId: apps.confidential }
            await record("A confidential app without its secret.", "unknown", app)
            await record("A confidential app with another secret.", "unknown", { ...app, ClientSecret: "another-secret-of-24-letters" })
            const email = await run.person("amy@example.com")
            const AuthParameters = { SECRET_HASH: secretHash(run, email) }
            const own = await tokens(run, email, {
                ...app, AuthParameters: { ...AuthParameters, USERNAME: email, PASSWORD: password }
            })
            await record("A confidential app.", own.RefreshToken, { ...app, ClientSecret: run.servers.secret })
        }
    },

    GetDerivedToken: {
        about: "A token for a service, derived from the access token of a user.",
        async record(run) {
            const { AccessToken, RefreshToken } = await signedIn(run)
            const body = {
                ClientId: apps.confidential, ClientSecret: run.servers.secret, SubjectToken: AccessToken,
                SubjectTokenType: "ACCESS_TOKEN", Audiences: ["orders"]
            }
            const record = (about, more) => call(run, about, "GetDerivedToken", { ...body, ...more })
            const { IssuedToken } = await record("An access token of the pool.")
            await record("The derived token again.", { SubjectToken: IssuedToken })
            await call(run, "GetUser with the derived token.", "GetUser", { AccessToken: IssuedToken })
            await record("Another audience.", { Audiences: ["elsewhere"] })
            await record("A scope that the user's token lacks.", { Scopes: ["email"] })
            await record("No audience.", { Audiences: undefined })
            await record("An ID token.", { SubjectTokenType: "ID_TOKEN" })
            await record("An actor.", { ActorToken: AccessToken, ActorTokenType: "ACCESS_TOKEN" })
            await record("An unknown token.", { SubjectToken: "unknown" })
            await record("The secret is missing.", { ClientSecret: undefined })
            await record("An app that may not exchange tokens.", { ClientId, ClientSecret: undefined })
            await prepare(run, "RevokeToken", { ClientId, Token: RefreshToken })
            await record("The session of the token was ended.")
        }
    },

    GlobalSignOut: {
        about: "Ends every session of the account.",
        async record(run) {
            const { email, AccessToken } = await signedIn(run)
            const other = await tokens(run, email)
            await call(run, "The sessions end.", "GlobalSignOut", { AccessToken })
            await call(run, "GetUser with the access token of another session.", "GetUser", {
                AccessToken: other.AccessToken
            })
            await refusedTokens(run, "GlobalSignOut")
        }
    }
}
