// The user's sessions.
import { call, prepare, refusedTokens, signedIn, tokens } from "./cognito.mjs"

/** A session id of Cognito's form that nobody has. */
const unknown = "tkn0000000000000000000000000"

export const sessions = {
    ListUserSessions: {
        about: "The sessions of the user at the apps of the pool, the newest first.",
        async record(run) {
            const { email, AccessToken } = await signedIn(run)
            await tokens(run, email)
            await call(run, "Two sessions.", "ListUserSessions", { AccessToken })
            await call(run, "A cursor of another form.", "ListUserSessions", { AccessToken, NextToken: "elsewhere" })
            await refusedTokens(run, "ListUserSessions")
        }
    },

    RevokeUserSession: {
        about: "Ends another session of the user.",
        async record(run) {
            const record = (about, body) => call(run, about, "RevokeUserSession", body)
            const { email, AccessToken } = await signedIn(run)
            const other = await tokens(run, email)
            const { Sessions } = await prepare(run, "ListUserSessions", { AccessToken })
            const [one, own] = Sessions.map(session => session.SessionId)
            await record("The current session.", { AccessToken, SessionId: own })
            await record("Another session.", { AccessToken, SessionId: one })
            await call(run, "GetUser with an access token of it.", "GetUser", { AccessToken: other.AccessToken })
            await record("The same again.", { AccessToken, SessionId: one })
            await record("An id of another form.", { AccessToken, SessionId: "elsewhere" })
            await record("The id is missing.", { AccessToken })
            await record("An unknown choice of linked sessions.", {
                AccessToken, SessionId: unknown, RevokeAssociatedSessions: "SOME"
            })
            await refusedTokens(run, "RevokeUserSession", { SessionId: unknown })
        }
    }
}
