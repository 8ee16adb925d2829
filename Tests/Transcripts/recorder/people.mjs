// People that a transcript begins with: accounts, made without being recorded.
import { createHmac, randomBytes } from "node:crypto"

/** The password of all of them; no list of common passwords has it. */
export const password = "grey heron over the weir 41"
export const otherPassword = "brown otter under the bridge 17"

/** A new address. Its first letter is that of ann@example.com, because masked destinations show it. */
export function freshEmail() {
    return `a${randomBytes(8).toString("hex")}@example.com`
}

/** A new number; its last digits are those of +4915112345678, because masked destinations show them. */
export function freshPhone() {
    return `+49151${String(randomBytes(4).readUInt32BE() % 1_000_000).padStart(6, "0")}78`
}

/** Signs up an account with a password. Resolves with its address and the answer. */
export async function signedUp(servers, email = freshEmail()) {
    const begun = await servers.prepare("POST", "/v1/sign-up", { client_id: "app", username: email, password })
    const code = await servers.mailedCode(email)
    const answer = await servers.prepare("POST", "/v1/sign-up/confirm", { flow: begun.flow, response: { code } })
    return { email, answer }
}

/** An account with a password and an authenticator app. `nextCode` shows a code that was not used yet. */
export async function protectedByApp(servers) {
    const { email, answer } = await signedUp(servers)
    const bearer = answer.session.access_token
    const begun = await servers.prepare("POST", "/v1/account/factors", { type: "totp" }, bearer)
    const secret = base32(begun.next_step.totp.secret)
    let used = timeStep()
    await servers.prepare(
        "POST", "/v1/account/factors/confirm",
        { flow: begun.flow, response: { code: totp(secret, used) } }, bearer)
    const nextCode = () => totp(secret, used = Math.max(used + 1, timeStep()))
    return { email, bearer, nextCode, wrongCode: () => wrongCode(secret) }
}

/** Adds a number as a second factor to a person. */
export async function addNumber(servers, { bearer }, phone) {
    const { flow } = await servers.prepare("POST", "/v1/account/factors", { type: "sms", phone }, bearer)
    const response = { code: await servers.textedCode(phone) }
    await servers.prepare("POST", "/v1/account/factors/confirm", { flow, response }, bearer)
}

function timeStep() {
    return Math.floor(Date.now() / 30_000)
}

/** RFC 6238 with SHA-1, 30 seconds and six digits. */
export function totp(secret, step) {
    const counter = Buffer.alloc(8)
    counter.writeBigUInt64BE(BigInt(step))
    const digest = createHmac("sha1", secret).update(counter).digest()
    const number = digest.readUInt32BE(digest[digest.length - 1] & 15) & 0x7fffffff
    return String(number % 1_000_000).padStart(6, "0")
}

function wrongCode(secret) {
    const near = [-3, -2, -1, 0, 1, 2, 3].map(distance => totp(secret, timeStep() + distance))
    return ["000000", "111111", "222222", "333333", "444444", "555555", "666666", "777777"]
        .find(code => !near.includes(code))
}

/** RFC 4648 section 6, without padding. */
export function base32(text) {
    let bits = ""
    for (const letter of text) bits += "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0")
    return Buffer.from((bits.match(/.{8}/g) ?? []).map(byte => parseInt(byte, 2)))
}
