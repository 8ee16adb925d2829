// RespondToAuthChallenge: each challenge, its refusals, and sessions that are used or unknown.
import { addNumber, base32, freshEmail, otherPassword, password, protectedByApp, totp } from "../people.mjs"
import { Authenticator } from "./authenticator.mjs"
import { apps, call, initiate, passwordAuth, prepare, proof, respond, signedIn, srp } from "./cognito.mjs"

const record = (run, about, ...rest) => call(run, about, "RespondToAuthChallenge", respond(...rest))
const begin = (run, body) => prepare(run, "InitiateAuth", body)

async function verifier(run) {
    const email = await run.person()
    const [right, wrong] = [srp(run, email), srp(run, email)]
    const refused = proof(run, wrong.client, await begin(run, wrong.body), otherPassword)
    await record(run, "A wrong password.", "PASSWORD_VERIFIER", undefined, refused)
    const asked = await begin(run, right.body)
    const responses = proof(run, right.client, asked)
    await record(run, "The right password gives tokens.", "PASSWORD_VERIFIER", asked.Session, responses)
    await record(run, "The block was used.", "PASSWORD_VERIFIER", undefined, responses)
    const unknown = { ...responses, PASSWORD_CLAIM_SECRET_BLOCK: Buffer.from("unknown").toString("base64") }
    await record(run, "The block is none of the gateway's.", "PASSWORD_VERIFIER", undefined, unknown)
    const { PASSWORD_CLAIM_SIGNATURE: _, ...unsigned } = responses
    await record(run, "The signature is missing.", "PASSWORD_VERIFIER", undefined, unsigned)
}

async function mailedCode(run) {
    const USERNAME = await run.person("amy@example.com")
    const offered = await begin(run, initiate("USER_AUTH", { USERNAME }))
    const asked = await record(
        run, "The user chooses a code by mail.", "SELECT_CHALLENGE", offered.Session, { USERNAME, ANSWER: "EMAIL_OTP" })
    const code = await run.code(USERNAME, 2)
    const wrong = { USERNAME, EMAIL_OTP_CODE: run.wrong(code) }
    const right = { USERNAME, EMAIL_OTP_CODE: code }
    await record(run, "A wrong code keeps the session.", "EMAIL_OTP", asked.Session, wrong)
    await record(run, "The code is missing.", "EMAIL_OTP", asked.Session, { USERNAME })
    await record(run, "The right code gives tokens.", "EMAIL_OTP", asked.Session, right)
    await record(run, "The session was used.", "EMAIL_OTP", asked.Session, right)
    await record(run, "The session is unknown.", "EMAIL_OTP", "unknown-session-of-20-characters", right)
    await record(run, "The session is missing.", "EMAIL_OTP", undefined, right)
    const chosen = { USERNAME, ANSWER: "PASSWORD", PASSWORD: password }
    await record(run, "The user chooses the password.", "SELECT_CHALLENGE", offered.Session, chosen)
    await record(run, "An unknown choice.", "SELECT_CHALLENGE", offered.Session, { USERNAME, ANSWER: "MAGIC" })
}

async function authenticatorApp(run) {
    const person = await protectedByApp(run.servers)
    run.standIns.set(person.email, "ali@example.com")
    const USERNAME = person.email
    const { Session } = await begin(run, passwordAuth(USERNAME))
    const [wrong, code] = [person.wrongCode(), person.nextCode()]
    run.standIns.set(wrong, "000000")
    run.standIns.set(code, "123456")
    const answer = SOFTWARE_TOKEN_MFA_CODE => ({ USERNAME, SOFTWARE_TOKEN_MFA_CODE })
    await record(run, "A wrong code of an authenticator app.", "SOFTWARE_TOKEN_MFA", Session, answer(wrong))
    await record(run, "Its right code gives tokens.", "SOFTWARE_TOKEN_MFA", Session, answer(code))
    const again = await begin(run, passwordAuth(USERNAME))
    await record(run, "The same code again.", "SOFTWARE_TOKEN_MFA", again.Session, answer(code))
}

async function textMessage(run) {
    const USERNAME = run.number()
    const { AccessToken } = await signedIn(run, "una@example.com")
    const attribute = { Name: "phone_number", Value: USERNAME }
    await prepare(run, "UpdateUserAttributes", { AccessToken, UserAttributes: [attribute] })
    const proof = { AttributeName: "phone_number", Code: await run.textedCode(USERNAME) }
    await prepare(run, "VerifyUserAttribute", { AccessToken, ...proof })
    const asked = await begin(run, initiate("USER_AUTH", { USERNAME, PREFERRED_CHALLENGE: "SMS_OTP" }))
    const code = await run.textedCode(USERNAME, 2)
    const answer = SMS_OTP_CODE => ({ USERNAME, SMS_OTP_CODE })
    await record(run, "A wrong code of a text message.", "SMS_OTP", asked.Session, answer(run.wrong(code)))
    await record(run, "Its right code gives tokens.", "SMS_OTP", asked.Session, answer(code))
}

async function severalFactors(run) {
    const person = await protectedByApp(run.servers)
    run.standIns.set(person.email, "ida@example.com")
    const phone = run.number("+4915187654378")
    await addNumber(run.servers, person, phone)
    const USERNAME = person.email
    const asked = await call(run, "Two second factors.", "InitiateAuth", passwordAuth(USERNAME))
    const choose = ANSWER => ({ USERNAME, ANSWER })
    await record(run, "An unknown factor.", "SELECT_MFA_TYPE", asked.Session, choose("MAGIC"))
    const sent = await record(run, "A text message is chosen.", "SELECT_MFA_TYPE", asked.Session, choose("SMS_MFA"))
    const code = await run.textedCode(phone, 2)
    const answer = SMS_MFA_CODE => ({ USERNAME, SMS_MFA_CODE })
    await record(run, "A wrong code.", "SMS_MFA", sent.Session, answer(run.wrong(code)))
    await record(run, "The right code gives tokens.", "SMS_MFA", sent.Session, answer(code))
}

async function setUp(run) {
    const demanding = { ClientId: apps.demanding }
    const [email, second] = [await run.person("abe@example.com"), run.address("abe.second@example.com")]
    const asked = await begin(run, passwordAuth(email, demanding))
    const mailbox = { USERNAME: email, EMAIL: second }
    const sent = await record(
        run, "A demanded second factor: a mailbox.", "MFA_SETUP", asked.Session, mailbox, demanding)
    const code = await run.code(second)
    await record(
        run, "Its code gives tokens.", "EMAIL_OTP", sent.Session, { USERNAME: email, EMAIL_OTP_CODE: code }, demanding)
    const other = await run.person("ava@example.com")
    const next = await begin(run, passwordAuth(other, demanding))
    const { SecretCode, Session } = await prepare(run, "AssociateSoftwareToken", { Session: next.Session })
    const UserCode = totp(base32(SecretCode), Math.floor(Date.now() / 30_000))
    const verified = await prepare(run, "VerifySoftwareToken", { Session, UserCode })
    await record(
        run, "A demanded authenticator app, after it was verified.", "MFA_SETUP", verified.Session,
        { USERNAME: other }, demanding)
}

async function passkey(run) {
    const { email: USERNAME, AccessToken } = await signedIn(run, "art@example.com")
    const authenticator = new Authenticator(run.servers.publicURL)
    const { CredentialCreationOptions: made } = await prepare(run, "StartWebAuthnRegistration", { AccessToken })
    await prepare(run, "CompleteWebAuthnRegistration", { AccessToken, Credential: authenticator.register(made) })
    run.standIns.set(authenticator.id, "credential-id-1")
    const asked = await begin(run, initiate("USER_AUTH", { USERNAME, PREFERRED_CHALLENGE: "WEB_AUTHN" }))
    const options = JSON.parse(asked.ChallengeParameters.CREDENTIAL_REQUEST_OPTIONS)
    const assertion = authenticator.assert(options, made.user.id)
    run.learn(assertion)
    const wrong = authenticator.assert({ ...options, rpId: "example.org" }, made.user.id)
    run.learn(wrong)
    const answer = credential => ({ USERNAME, CREDENTIAL: JSON.stringify(credential) })
    await record(run, "A passkey of another domain.", "WEB_AUTHN", asked.Session, answer(wrong))
    await record(run, "A passkey gives tokens.", "WEB_AUTHN", asked.Session, answer(assertion))
}

async function apple(run) {
    const asked = await begin(run, initiate("CUSTOM_AUTH", { USERNAME: "SignInWithApple" }))
    const { nonce } = asked.ChallengeParameters
    const email = freshEmail()
    const subject = `001999.${email.slice(1, 17)}.1200`
    const { id_token: ANSWER } = await run.servers.mint("apple", { nonce, email, subject })
    run.standIns.set(ANSWER, "apple-id-token-1")
    const responses = { USERNAME: "SignInWithApple", ANSWER }
    await record(run, "Apple's ID token gives tokens.", "CUSTOM_CHALLENGE", asked.Session, responses)
    await record(run, "The ID token was used.", "CUSTOM_CHALLENGE", asked.Session, responses)
}

export const responses = {
    RespondToAuthChallenge: {
        about: "Answers a challenge of a sign-in.",
        async record(run) {
            await verifier(run)
            await mailedCode(run)
            await authenticatorApp(run)
            await textMessage(run)
            await severalFactors(run)
            await setUp(run)
            await passkey(run)
            await apple(run)
            await record(run, "An unknown challenge.", "MAGIC", "unknown-session-of-20-characters", {})
            const unknown = { ClientId: "nobody" }
            await record(run, "An unknown app.", "EMAIL_OTP", "unknown-session-of-20-characters", {}, unknown)
        }
    }
}
