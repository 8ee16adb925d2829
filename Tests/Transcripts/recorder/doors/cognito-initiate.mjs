// InitiateAuth: each flow, and the refusals before a challenge.
import { otherPassword, password, protectedByApp } from "../people.mjs"
import { protect } from "./cognito-factors.mjs"
import { apps, call, initiate, passwordAuth, prepare, secretHash, srp, tokens } from "./cognito.mjs"

const operation = "InitiateAuth"
const record = (run, about, body) => call(run, about, operation, body)

async function plain(run, email) {
    await record(run, "The right password gives tokens.", passwordAuth(email))
    await record(run, "A wrong password.", passwordAuth(email, {}, otherPassword))
    await record(run, "A name without an account has the same answer.", passwordAuth(run.address("nobody@example.com")))
    await record(run, "The password is missing.", initiate("USER_PASSWORD_AUTH", { USERNAME: email }))
    const revealing = passwordAuth(run.address("no-one@example.com"), { ClientId: apps.revealing })
    await record(run, "An app that reveals users: the name has no account.", revealing)
    const waiting = run.address("ada@example.com")
    await prepare(run, "SignUp", { ClientId: apps.usual, Username: waiting, Password: password })
    await record(run, "The sign-up waits for its code.", passwordAuth(waiting))
}

async function bySRP(run, email) {
    await record(run, "SRP: the verifier's challenge.", srp(run, email).body)
    await record(
        run, "SRP: a name without an account has a challenge of the same form.",
        srp(run, run.address("none@example.com")).body)
    await record(run, "SRP: a client value of zero.", initiate("USER_SRP_AUTH", { USERNAME: email, SRP_A: "0" }))
    await record(run, "SRP: the client value is missing.", initiate("USER_SRP_AUTH", { USERNAME: email }))
}

async function byChoice(run, email) {
    const prefer = (PREFERRED_CHALLENGE, more) =>
        initiate("USER_AUTH", { USERNAME: email, PREFERRED_CHALLENGE, ...more })
    await record(run, "A name alone: the user chooses.", initiate("USER_AUTH", { USERNAME: email }))
    await record(run, "A preferred password.", prefer("PASSWORD", { PASSWORD: password }))
    await record(run, "A preferred code by mail.", prefer("EMAIL_OTP"))
    await record(run, "A preferred passkey.", prefer("WEB_AUTHN"))
    await record(run, "A preferred challenge that the app does not offer.", prefer("SMS_OTP"))
}

async function furtherSteps(run, email) {
    const person = await protectedByApp(run.servers)
    run.standIns.set(person.email, "ali@example.com")
    await record(run, "A user with an authenticator app.", passwordAuth(person.email))
    await record(run, "An app that demands a second factor.", passwordAuth(email, { ClientId: apps.demanding }))
}

async function levels(run) {
    const email = await run.person("aki@example.com")
    const { AccessToken } = await tokens(run, email)
    await protect(run, (await tokens(run, email)).AccessToken)
    const toward = (level, more) =>
        initiate("USER_AUTH", { USERNAME: email, TARGET_ACR_VALUES: `urn:cognito:loa:${level}`, ...more })
    await record(run, "A target level: the challenges that lead to it.", toward(4))
    await record(run, "An unknown level.", toward(5))
    await record(run, "A session lacks the second factor.", toward(4, { ACCESS_TOKEN: AccessToken, MAX_AGE: "3600" }))
    await record(run, "The session has the level.", toward(1, { ACCESS_TOKEN: AccessToken }))
    await record(run, "An access token without a target.", initiate("USER_AUTH", { USERNAME: email, ACCESS_TOKEN: AccessToken }))
    await record(run, "An age that is no number.", toward(4, { MAX_AGE: "soon" }))
}

async function refreshes(run, email) {
    const { RefreshToken } = await tokens(run, email)
    const refresh = (REFRESH_TOKEN, more) => initiate("REFRESH_TOKEN_AUTH", { REFRESH_TOKEN }, more)
    await run.nextSecond()
    await record(run, "A refresh keeps the refresh token.", refresh(RefreshToken))
    await record(run, "An unknown refresh token.", refresh("unknown"))
    await record(run, "The refresh token is missing.", initiate("REFRESH_TOKEN_AUTH", {}))
    const rotating = refresh(RefreshToken, { ClientId: apps.demanding })
    await record(run, "An app that rotates refresh tokens has another operation.", rotating)
    await prepare(run, "RevokeToken", { ClientId: apps.usual, Token: RefreshToken })
    await record(run, "A revoked refresh token.", refresh(RefreshToken))
}

async function confidential(run, email) {
    const app = { ClientId: apps.confidential }
    const parameters = { USERNAME: email, PASSWORD: password }
    const body = hash => initiate("USER_PASSWORD_AUTH", { ...parameters, ...(hash && { SECRET_HASH: hash }) }, app)
    await record(run, "A confidential app sends its hash.", body(secretHash(run, email)))
    await record(run, "The hash is missing.", body())
    await record(run, "A hash over another name.", body(secretHash(run, "other@example.com")))
}

async function faults(run) {
    const name = { USERNAME: "ann@example.com" }
    await record(run, "The name is missing.", initiate("USER_AUTH", {}))
    await record(run, "An unknown flow.", initiate("ADMIN_USER_PASSWORD_AUTH", name))
    await record(run, "The flow is missing.", { ClientId: apps.usual, AuthParameters: name })
    await record(run, "An unknown app.", initiate("USER_AUTH", name, { ClientId: "nobody" }))
    await record(run, "The app is missing.", { AuthFlow: "USER_AUTH", AuthParameters: name })
}

export const initiates = {
    InitiateAuth: {
        about: "Begins a sign-in, or refreshes tokens.",
        async record(run) {
            const email = await run.person()
            await plain(run, email)
            await bySRP(run, email)
            await byChoice(run, email)
            await record(run, "Apple's sign-in begins with a nonce.", initiate("CUSTOM_AUTH", { USERNAME: "SignInWithApple" }))
            await record(run, "A user has no custom challenge as first factor.", initiate("CUSTOM_AUTH", { USERNAME: email }))
            await furtherSteps(run, email)
            await levels(run)
            await refreshes(run, email)
            await confidential(run, email)
            await faults(run)
        }
    }
}
