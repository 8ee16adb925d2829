// Authenticator apps and preferences of second factors.
import { base32, totp } from "../people.mjs"
import { apps, call, passwordAuth, prepare, refusedTokens, signedIn } from "./cognito.mjs"

const timeStep = () => Math.floor(Date.now() / 30_000)

/** The code of an authenticator app, and one that it does not show. */
function codes(run, secret) {
    const key = base32(secret)
    const near = [-2, -1, 0, 1, 2].map(distance => totp(key, timeStep() + distance))
    const wrong = ["000000", "111111", "222222", "333333", "444444", "555555"].find(code => !near.includes(code))
    run.standIns.set(near[2], "123456")
    run.standIns.set(wrong, "000000")
    return { right: near[2], wrong }
}

/** The session of a sign-in that demands a second factor. */
async function demanded(run, standIn) {
    const email = await run.person(standIn)
    return (await prepare(run, "InitiateAuth", passwordAuth(email, { ClientId: apps.demanding }))).Session
}

/** Adds an authenticator app to a user; resolves with its secret. */
export async function protect(run, AccessToken) {
    const { SecretCode } = await prepare(run, "AssociateSoftwareToken", { AccessToken })
    await prepare(run, "VerifySoftwareToken", { AccessToken, UserCode: codes(run, SecretCode).right })
    return SecretCode
}

/** The next code of an authenticator app: each works once. */
export function nextCode(run, secret) {
    const code = totp(base32(secret), timeStep() + 1)
    run.standIns.set(code, "123456")
    return code
}

export const factors = {
    AssociateSoftwareToken: {
        about: "The secret of a new authenticator app.",
        async record(run) {
            const record = (about, body) => call(run, about, "AssociateSoftwareToken", body)
            const { AccessToken } = await signedIn(run)
            await record("By access token.", { AccessToken })
            await record("By the session of MFA_SETUP.", { Session: await demanded(run, "ada@example.com") })
            await record("An unknown session.", { Session: "unknown-session-of-20-characters" })
            await refusedTokens(run, "AssociateSoftwareToken")
        }
    },

    VerifySoftwareToken: {
        about: "Adds the authenticator app by its first code.",
        async record(run) {
            const record = (about, body) => call(run, about, "VerifySoftwareToken", body)
            const { AccessToken } = await signedIn(run)
            await record("No secret was asked for.", { AccessToken, UserCode: "123456" })
            const { SecretCode } = await prepare(run, "AssociateSoftwareToken", { AccessToken })
            const { right, wrong } = codes(run, SecretCode)
            await record("A wrong code.", { AccessToken, UserCode: wrong })
            await record("The code is missing.", { AccessToken })
            await record("The right code.", { AccessToken, UserCode: right, FriendlyDeviceName: "Phone" })
            await record("The code again.", { AccessToken, UserCode: right })
            const begun = await prepare(
                run, "AssociateSoftwareToken", { Session: await demanded(run, "ada@example.com") })
            const other = codes(run, begun.SecretCode)
            const { Session } = begun
            await record("MFA_SETUP: a wrong code.", { Session, UserCode: other.wrong })
            await record("MFA_SETUP: the right code.", { Session, UserCode: other.right })
            await record("MFA_SETUP: the session was used.", { Session, UserCode: other.right })
            await record("An unknown session.", { Session: "unknown-session-of-20-characters", UserCode: "123456" })
            await refusedTokens(run, "VerifySoftwareToken", { UserCode: "123456" })
        }
    },

    SetUserMFAPreference: {
        about: "Prefers a second factor, or removes a disabled one.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            const record = (about, settings) => call(run, about, "SetUserMFAPreference", { AccessToken, ...settings })
            await record("The user has no authenticator app.", { SoftwareTokenMfaSettings: { Enabled: true } })
            await record("The user has no number.", { SMSMfaSettings: { Enabled: true, PreferredMfa: true } })
            await protect(run, AccessToken)
            await record("The app is preferred.", { SoftwareTokenMfaSettings: { Enabled: true, PreferredMfa: true } })
            await call(run, "GetUser lists it.", "GetUser", { AccessToken })
            await record("The app is disabled.", { SoftwareTokenMfaSettings: { Enabled: false } })
            await call(run, "GetUser lists none.", "GetUser", { AccessToken })
            await record("Nothing is set.", {})
            await refusedTokens(run, "SetUserMFAPreference", { SoftwareTokenMfaSettings: { Enabled: true } })
        }
    },

    SetUserSettings: {
        about: "The older form for numbers.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            const record = (about, options) => call(run, about, "SetUserSettings", { AccessToken, ...options })
            const number = { DeliveryMedium: "SMS", AttributeName: "phone_number" }
            await record("The user has no number.", { MFAOptions: [number] })
            await record("No number is a factor.", { MFAOptions: [] })
            await record("A mailbox is no number.", { MFAOptions: [{ DeliveryMedium: "EMAIL", AttributeName: "email" }] })
            await record("The options are missing.", {})
            await refusedTokens(run, "SetUserSettings", { MFAOptions: [] })
        }
    },

    GetUserAuthFactors: {
        about: "The first factors of the user.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            await call(run, "A password and a mailbox.", "GetUserAuthFactors", { AccessToken })
            await protect(run, AccessToken)
            await call(run, "With an authenticator app.", "GetUserAuthFactors", { AccessToken })
            await refusedTokens(run, "GetUserAuthFactors")
        }
    }
}
