// Sign-ins and sign-ups, step by step.
import { freshEmail, otherPassword, password, protectedByApp, signedUp } from "./people.mjs"
import { send } from "./server.mjs"
import { outcome, refusal, value } from "./transcript.mjs"

const client_id = "app"
const known = answer => (answer?.device ? { device: answer.device } : {})

/** The request of a sign-in with a name and a password. */
export function passwordSignIn(username, word = password, more = {}) {
    const credential = { username, password: word }
    return { path: "/v1/sign-in", body: { provider: "password", client_id, credential, ...more } }
}

/** Records a sign-in with a password; resolves with the answer. */
export async function signIn(run, username, more) {
    run.standIns.set(username, "ann@example.com")
    const words = { method: "password", username, password }
    return await run.call("signIn", words, [passwordSignIn(username, password, more)], outcome)
}

/** Records the answer to a step. */
export async function answer(run, flow, response, result = outcome, more = {}) {
    const body = { flow, response, ...more }
    return await run.call("answer", response, [{ path: "/v1/sign-in/continue", body }], result)
}

/** Records a sign-in with Amazon's token for a user with this address. */
async function amazonSignIn(run, email) {
    const subject = `amzn1.account.${email.slice(1, 17).toUpperCase()}`
    const { access_token } = await run.servers.mint("amazon", { email, subject })
    run.standIns.set(access_token, "amazon-token")
    const body = { provider: "amazon", client_id, credential: { access_token } }
    const words = { method: "amazon", access_token }
    return await run.call("signIn", words, [{ path: "/v1/sign-in", body }], outcome)
}

export const signIns = {
    "password-sign-in": {
        about: "A name and a password open a session; the device token of the answer goes with the next sign-in.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            const first = await signIn(run, email)
            await signIn(run, email, known(first))
        }
    },

    guest: {
        about: "A guest gets an account and a session without a credential.",
        async record(run) {
            const body = { provider: "guest", client_id, credential: {} }
            await run.call("signIn", { method: "guest" }, [{ path: "/v1/sign-in", body }], outcome)
        }
    },

    "wrong-password": {
        about: "A wrong password is refused with the same code as an unknown name.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            run.standIns.set(email, "ann@example.com")
            const words = { method: "password", username: email, password: otherPassword }
            await run.call("signIn", words, [passwordSignIn(email, otherPassword)], refusal)
        }
    },

    "sign-up": {
        about: "A sign-up is confirmed by the mailed code; a wrong code leaves tries.",
        async record(run) {
            const email = freshEmail()
            run.standIns.set(email, "ann@example.com")
            const form = { username: email, password, display_name: "Ann" }
            const begun = await run.call(
                "signUp", form, [{ path: "/v1/sign-up", body: { client_id, ...form } }], outcome)
            const code = await run.servers.mailedCode(email)
            const wrong = code === "000000" ? "111111" : "000000"
            run.standIns.set(wrong, "000000")
            run.standIns.set(code, "123456")
            await answer(run, begun.flow, { code: wrong }, refusal)
            await answer(run, begun.flow, { code })
        }
    },

    "second-factor": {
        about: "An account with an authenticator app is asked for its code; a wrong code leaves tries.",
        async record(run) {
            const person = await protectedByApp(run.servers)
            const asked = await signIn(run, person.email)
            const [wrong, code] = [person.wrongCode(), person.nextCode()]
            run.standIns.set(wrong, "000000")
            run.standIns.set(code, "123456")
            await answer(run, asked.flow, { code: wrong }, refusal)
            await answer(run, asked.flow, { code, remember_device: true })
        }
    },

    "email-code": {
        about: "A name alone is asked for a mailed code. Another code is refused a moment after the first.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            run.standIns.set(email, "ann@example.com")
            const body = { provider: "email_otp", client_id, credential: { username: email } }
            const asked = await run.call(
                "signIn", { method: "emailCode", username: email }, [{ path: "/v1/sign-in", body }], outcome)
            const { flow } = asked
            await run.call("resend", undefined, [{ path: "/v1/sign-in/resend", body: { flow } }], refusal)
            const code = await run.servers.mailedCode(email, 2)
            run.standIns.set(code, "123456")
            await answer(run, flow, { code })
        }
    },

    "first-factor-selection": {
        about: "A name alone, without a method: the user chooses the password.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            run.standIns.set(email, "ann@example.com")
            const body = { provider: "password", client_id, credential: { username: email } }
            const asked = await run.call(
                "signIn", { method: "name", username: email }, [{ path: "/v1/sign-in", body }], outcome)
            await answer(run, asked.flow, { factor: "password" })
            await answer(run, asked.flow, { password })
        }
    },

    "provider-token": {
        about: "Apple's ID token with a nonce of the gateway opens a new account.",
        async record(run) {
            const { nonce } = await run.call(
                "nonce", undefined, [{ path: "/v1/nonce" }], body => value(body.nonce))
            const email = freshEmail()
            run.standIns.set(email, "ann@example.com")
            const subject = `001999.${email.slice(1, 17)}.1200`
            const { id_token } = await run.servers.mint("apple", { nonce, email, subject })
            const credential = { id_token, nonce, name: { given: "Ann", family: "Example" } }
            run.standIns.learn(credential)
            await run.call(
                "signIn", { method: "apple", ...credential },
                [{ path: "/v1/sign-in", body: { provider: "apple", client_id, credential } }], outcome)
        }
    },

    "link-account": {
        about: "Amazon's address belongs to an account; the user signs in to that account, and the identity joins it.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            run.standIns.set(email, "ann@example.com")
            const asked = await amazonSignIn(run, email)
            await run.call(
                "linkSignIn", { method: "password", username: email, password },
                [passwordSignIn(email, password, { link_flow: asked.flow })], outcome)
        }
    },

    "declined-link": {
        about: "The same, but the user declines: a separate account without the address.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            run.standIns.set(email, "ann@example.com")
            const asked = await amazonSignIn(run, email)
            await answer(run, asked.flow, { create_account: true })
        }
    },

    "forgotten-password": {
        about: "A mailed code and a new password, then the session.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            run.standIns.set(email, "ann@example.com")
            const asked = await run.call(
                "forgotPassword", { username: email },
                [{ path: "/v1/password/forgot", body: { client_id, username: email } }], outcome)
            const code = await run.servers.mailedCode(email, 2)
            const wrong = code === "000000" ? "111111" : "000000"
            run.standIns.set(wrong, "000000")
            run.standIns.set(code, "123456")
            await answer(run, asked.flow, { code: wrong, new_password: otherPassword }, refusal)
            await answer(run, asked.flow, { code, new_password: otherPassword })
        }
    },

    throttled: {
        about: "Too many wrong passwords for one name: the right one has to wait as well.",
        async record(run) {
            const { email } = await signedUp(run.servers)
            run.standIns.set(email, "ann@example.com")
            const wrong = passwordSignIn(email, otherPassword)
            const headers = { "content-type": "application/json" }
            const refused = async () => await send(run.servers.gateway, { method: "POST", ...wrong, headers })
            for (let count = 0; count < 30 && (await refused()).status !== 429; count++);
            await run.call(
                "signIn", { method: "password", username: email, password }, [passwordSignIn(email)], refusal)
        }
    }
}
