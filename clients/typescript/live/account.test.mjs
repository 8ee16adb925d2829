// The whole library against a running gateway: GATEWAY, SIMULATOR and MAIL name it, its provider simulator, its mails.
import assert from "node:assert/strict"
import { webcrypto } from "node:crypto"
import { test } from "node:test"
import { appleNonce, by, GatewayClient, memoryStore } from "../dist/index.js"
import {
    base32, freshEmail, otherPassword, password, signedUp, totp
} from "../../../Tests/Transcripts/recorder/people.mjs"
import { Servers } from "../../../Tests/Transcripts/recorder/server.mjs"

globalThis.crypto ??= webcrypto
const { GATEWAY: url, SIMULATOR: simulator, MAIL: mail } = process.env
const servers = new Servers({ gateway: url, simulator, mail })
const newClient = () => new GatewayClient({ url, clientId: "app", store: memoryStore(), deviceName: "A test" })

/** A client that is signed in to a new account with a password. */
async function newUser() {
    const { email } = await signedUp(servers)
    const subject = newClient()
    const { session } = await subject.signIn(by.password(email, password))
    return { email, subject, session, account: session.account }
}

let step = Math.floor(Date.now() / 30_000)
const nextCode = secret => totp(secret, step = Math.max(step + 1, Math.floor(Date.now() / 30_000)))

async function addApp(account) {
    const setUp = await account.addFactor({ type: "totp" })
    const secret = base32(setUp.step.totp.secret)
    step = Math.floor(Date.now() / 30_000) - 1
    return { secret, added: await setUp.confirm({ code: nextCode(secret), name: "Phone" }) }
}

test("sign-up, its confirmation, profile and attributes", async () => {
    const email = freshEmail()
    const subject = newClient()
    const { step } = await subject.signUp({ username: email, password, display_name: "Ann" })
    assert.equal(step.type, "confirm_sign_up")
    assert.equal(step.delivery.medium, "email")
    const result = await subject.confirmSignUp(step.flow, await servers.mailedCode(email))
    assert.deepEqual([result.status, result.newAccount, result.account.email], ["signedIn", true, email])
    const { account } = result.session
    assert.equal((await account.change({ display_name: "Ann Example" })).display_name, "Ann Example")
    assert.equal((await account.profile()).display_name, "Ann Example")
    assert.equal((await result.session.current()).session.id, result.session.id)
})

test("an authenticator app, recovery codes, the second step, a remembered device", async () => {
    const { email, subject, account } = await newUser()
    const { secret, added } = await addApp(account)
    assert.equal(added.recovery_codes.length, 10)
    assert.equal((await account.factors()).second_factor, true)
    const asked = await subject.signIn(by.password(email, password))
    assert.equal(asked.step.type, "confirm_sign_in_with_totp_code")
    assert.ok(asked.step.factors.some(factor => factor.type === "recovery_code"))
    const { session } = await asked.step.answer({ code: nextCode(secret), remember_device: true })
    assert.equal((await session.current()).session.acr, "2")
    assert.equal((await subject.signIn(by.password(email, password))).status, "signedIn")
    await assert.rejects(session.accessToken(), { reason: "replaced" })
})

test("devices, recovery codes, step-up and removal of a factor", async () => {
    const { email, subject, account } = await newUser()
    const { secret, added } = await addApp(account)
    const { step: asked } = await subject.signIn(by.password(email, password))
    const { session } = await asked.answer({ recovery_code: added.recovery_codes[0], remember_device: true })
    const [device] = await session.account.devices()
    await session.account.forgetDevice(device.id)
    assert.deepEqual(await session.account.devices(), [])
    assert.equal((await session.account.newRecoveryCodes()).length, 10)
    const { step: again } = await session.stepUp()
    const { session: strong } = await again.answer({ code: nextCode(secret) })
    await assert.rejects(session.accessToken(), { reason: "replaced" })
    await strong.account.changeFactor(added.factor.id, { name: "Old phone" })
    await strong.account.removeFactor(added.factor.id)
    assert.equal((await strong.account.factors()).second_factor, false)
})

test("addresses, events, sessions, export and deletion", async () => {
    const { subject, session, account } = await newUser()
    const other = freshEmail()
    const setUp = await account.addAddress(other)
    assert.equal((await setUp.confirm(await servers.mailedCode(other))).length, 2)
    assert.equal((await account.addresses()).length, 2)
    assert.ok((await account.events({ limit: 5 })).events.length > 0)
    const sessions = await account.sessions()
    await account.endSession(sessions.find(one => !one.current).id)
    assert.deepEqual((await account.sessions()).map(one => one.id), [session.id])
    await account.removeAddress(other)
    assert.equal((await account.addresses()).length, 1)
    assert.equal((await account.export()).format, 1)
    const deletion = await account.delete()
    assert.ok(new Date(deletion.due_at) > new Date())
    assert.equal(await subject.session(), undefined)
})

test("a provider's identity: linked, listed, removed; merged with another account", async () => {
    const { account } = await newUser()
    const apple = async () => {
        const nonce = await newClient().nonce()
        const minted = await servers.mint("apple", { nonce, subject: `001999.${freshEmail()}`, email: freshEmail() })
        return by.apple({ id_token: minted.id_token, nonce })
    }
    const identity = await account.link(await apple())
    assert.deepEqual((await account.identities()).map(one => one.id), [identity.id])
    await account.unlink(identity.id)
    const other = await newClient().signIn(await apple())
    assert.deepEqual([other.status, other.newAccount], ["signedIn", true])
    const ticket = await account.mergeTicket(other.session)
    const preview = await account.previewMerge(ticket)
    assert.equal(preview.moves.identities.length, 1)
    const merge = await account.merge(ticket, preview.digest)
    assert.deepEqual((await account.merges()).map(one => one.id), [merge.id])
    await account.undoMerge(merge.id)
})

test("Apple's nonce in the form that the gateway expects", async () => {
    const subject = newClient()
    const nonce = await subject.nonce()
    const user = { subject: `001999.${freshEmail()}`, email: freshEmail() }
    const { id_token } = await servers.mint("apple", { nonce, ...user })
    const claims = JSON.parse(Buffer.from(id_token.split(".")[1], "base64url"))
    assert.equal(claims.nonce, await appleNonce(nonce))
    assert.equal((await subject.signIn(by.apple({ id_token, nonce }))).status, "signedIn")
})

test("change and reset of a password", async () => {
    const { email, account } = await newUser()
    await account.changePassword({ current: password, new: otherPassword })
    const { step: asked } = await newClient().forgotPassword(email)
    assert.equal(asked.type, "reset_password")
    const code = await servers.mailedCode(email, 2)
    const reset = await newClient().resetPassword(asked.flow, code, "blue kestrel beyond the ford 7")
    assert.equal(reset.status, "signedIn")
})

test("a session's own requests, and its end everywhere", async () => {
    const { email, session } = await newUser()
    const other = newClient()
    const elsewhere = await other.signIn(by.password(email, password))
    const answer = await session.fetch(`${url}/v1/session`)
    assert.equal((await answer.json()).session.id, session.id)
    await session.signOut({ everywhere: true })
    await assert.rejects(elsewhere.session.account.profile(), { code: "session_ended" })
    assert.equal(await other.session(), undefined)
})
