// What becomes of a session: access tokens, refreshes, its end.
import { otherPassword, password, signedUp } from "./people.mjs"
import { accessToken, done, ended, refusal, value } from "./transcript.mjs"
import { signIn } from "./signing-in.mjs"

const refresh = (refresh_token, more) => ({ path: "/v1/token/refresh", body: { refresh_token }, ...more })
const expired = 700

export const sessions = {
    refresh: {
        about: "A valid access token is used as it is; an expired one is replaced by a refresh.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            const { session } = await signIn(run, email)
            await run.call("accessToken", undefined, [], () => value(session.access_token))
            run.pass(expired)
            const { session: next } = await run.call(
                "accessToken", undefined, [refresh(session.refresh_token)], accessToken)
            const request = { method: "GET", path: "/v1/account", bearer: next.access_token }
            await run.call("profile", undefined, [request], value)
        }
    },

    "lost-refresh": {
        about: "The answer to a refresh is lost: the client sends the same refresh token again.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            const { session } = await signIn(run, email)
            run.pass(expired)
            const token = session.refresh_token
            await run.call("accessToken", undefined, [refresh(token, { lost: true }), refresh(token)], accessToken)
        }
    },

    "ended-session": {
        about: "The session was ended elsewhere: the refresh is refused, and the client forgets its tokens.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            const { session } = await signIn(run, email)
            await run.servers.prepare("POST", "/v1/sign-out", { scope: "local" }, session.access_token)
            run.pass(expired)
            await run.call("accessToken", undefined, [refresh(session.refresh_token)], ended)
        }
    },

    "sign-out": {
        about: "A sign-out ends the session at the gateway, and the client forgets its tokens.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            const { session } = await signIn(run, email)
            await run.call(
                "signOut", { scope: "local" },
                [{ path: "/v1/sign-out", body: { scope: "local" }, bearer: session.access_token }],
                () => ({ ...done(), state: "signedOut" }))
        }
    },

    "change-password": {
        about: "The password is changed; the old one is refused.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            const { session } = await signIn(run, email)
            const path = "/v1/password/change"
            const bearer = session.access_token
            const wrong = { current_password: otherPassword, new_password: otherPassword }
            await run.call("changePassword", wrong, [{ path, body: wrong, bearer }], refusal)
            const body = { current_password: password, new_password: otherPassword }
            await run.call("changePassword", body, [{ path, body, bearer }], done)
        }
    }
}
