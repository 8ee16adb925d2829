// The fake gateway answers each request of Tests/Transcripts as the server did, so that it can't drift from it.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { by, SessionEndedError, UnreachableError } from "../dist/index.js"
import { FakeGateway, reply } from "../dist/testing.js"
import { names, replay } from "./transcripts.mjs"

/** The scripts of the conversations that are more than success. */
const scripts = {
    "change-password": gateway => gateway.on("POST /v1/password/change", reply.invalidCredentials()),
    "declined-link": gateway => gateway.next(
        reply.linkAccount(), reply.signedIn({ email: null, displayName: "Demo Person" }, { newAccount: true })),
    "email-code": gateway => gateway.next(reply.emailCode(), reply.resendTooSoon()),
    "ended-session": gateway => gateway.on("POST /v1/token/refresh", reply.sessionEnded("signed_out")),
    "first-factor-selection": gateway => gateway.next(reply.chooseFirstFactor(), reply.password()),
    "forgotten-password": gateway => gateway.next(reply.resetPassword(), reply.wrongCode(4)),
    "link-account": gateway => gateway.next(reply.linkAccount()),
    "lost-refresh": gateway => gateway.on("POST /v1/token/refresh", reply.answerLost()),
    "provider-token": gateway => gateway.next(reply.signedIn({ displayName: "Ann Example" }, { newAccount: true })),
    "second-factor": gateway => gateway.next(reply.totpCode(), reply.wrongCode(4)),
    "sign-up": gateway => gateway.next(reply.success(), reply.wrongCode(4)),
    throttled: gateway => gateway.next(reply.throttled(60)),
    "wrong-password": gateway => gateway.next(reply.invalidCredentials())
}

for (const name of names) {
    test(`the fake gateway answers ${name} as the server did`, async () => {
        const gateway = new FakeGateway()
        scripts[name]?.(gateway)
        await replay(name, new Comparison(gateway))
    })
}

test("each script is that of a transcript", () => {
    assert.deepEqual(Object.keys(scripts).filter(name => !names.includes(name)), [])
})

/** Passes requests to the fake gateway, and compares its answers with those of a transcript. */
class Comparison {
    exchanges = []

    constructor(gateway) {
        this.gateway = gateway
    }

    fetch = async (address, init) => {
        const { response: recorded } = this.exchanges.shift()
        const given = this.gateway.fetch(address, init)
        if (recorded === undefined) await assert.rejects(given, TypeError)
        const answer = await given
        const text = await answer.clone().text()
        const { status } = answer
        const headers = Object.fromEntries(answer.headers)
        assert.deepEqual({ status, headers, ...(text !== "" && { body: JSON.parse(text) }) }, recorded)
        return answer
    }
}

// MARK: What the transcripts don't show

const password = by.password("bob@example.com", "any")

/** The session of a sign-in that succeeds. */
async function session(subject) {
    const result = await subject.signIn(password)
    assert.equal(result.status, "signedIn")
    return result.session
}

test("without a script it signs in the user whom the app names, and keeps the calls", async () => {
    const gateway = new FakeGateway()
    const own = await session(gateway.client())
    assert.equal((await own.account.profile()).email, "bob@example.com")
    await own.signOut()
    assert.deepEqual(
        gateway.calls.map(call => call.name), ["POST /v1/sign-in", "GET /v1/account", "POST /v1/sign-out"])
    assert.equal(gateway.calls[0].text("credential", "password"), "any")
})

test("a guest and a sign-up are new accounts, with the names of the form", async () => {
    const guest = await new FakeGateway().client().signIn(by.guest())
    assert.deepEqual([guest.newAccount, guest.account.guest, guest.account.email], [true, true, null])
    const { step } = await new FakeGateway().client().signUp({
        username: "+4915112345678", password: "any", email: "c@example.com", display_name: "Cem"
    })
    const { account, newAccount } = await step.answer({ code: "123456" })
    assert.deepEqual([newAccount, account.display_name, account.email], [true, "Cem", "c@example.com"])
})

test("another code is the same question of the same flow, which works once", async () => {
    const gateway = new FakeGateway(reply.smsCode(), reply.success(), reply.signedIn())
    const { step } = await gateway.client().signIn(password)
    const again = await step.resend()
    assert.deepEqual([again.step.type, again.step.flow], [step.type, step.flow])
    assert.equal((await again.step.answer({ code: "123456" })).status, "signedIn")
    await assert.rejects(step.answer({ code: "123456" }), { code: "flow_expired" })
})

test("time passes only by the test: the token is then refreshed", async () => {
    const gateway = new FakeGateway()
    const own = await session(gateway.client())
    const first = await own.accessToken()
    assert.equal(await own.accessToken(), first)
    gateway.advance(600)
    assert.notEqual(await own.accessToken(), first)
    assert.deepEqual(gateway.calls.map(call => call.name), ["POST /v1/sign-in", "POST /v1/token/refresh"])
})

test("offline nothing arrives, and the session stays", async () => {
    const gateway = new FakeGateway()
    const own = await session(gateway.client())
    gateway.advance(600)
    gateway.offline = true
    await assert.rejects(own.accessToken(), UnreachableError)
    gateway.offline = false
    await own.accessToken()
    assert.equal(gateway.calls.length, 2)
})

test("one lost connection is one reply of the script", async () => {
    const subject = new FakeGateway(reply.noConnection()).client()
    await assert.rejects(subject.signIn(password), UnreachableError)
    await session(subject)
})

test("an end elsewhere reaches the next call, with its reason", async () => {
    const gateway = new FakeGateway()
    const subject = gateway.client()
    const own = await session(subject)
    gateway.endSessions("credentials_changed")
    await assert.rejects(own.account.profile(), { code: "session_ended", endReason: "credentials_changed" })
    await assert.rejects(own.accessToken(), SessionEndedError)
    await (await session(subject)).account.profile()
})

test("other calls, also of an app's API, get the answers of the test; without one the error says how", async () => {
    const gateway = new FakeGateway()
    const own = await session(gateway.client({ apis: ["https://api.example.com"] }))
    gateway.on("GET /orders", reply.answer([2]))
    assert.deepEqual(await (await own.fetch("https://api.example.com/orders")).json(), [2])
    const error = await own.account.devices().catch(error => error)
    assert.match(error.cause.message, /on\("GET \/v1\/account\/devices"/)
})

test("its refusals have the status of docs/errors.md", async () => {
    const page = readFileSync(new URL("../../../docs/errors.md", import.meta.url), "utf8")
    const { invalidCredentials, wrongCode, throttled, resendTooSoon, sessionEnded } = reply
    for (const { problem } of [invalidCredentials(), wrongCode(), throttled(), resendTooSoon(), sessionEnded()]) {
        assert.ok(page.includes(`| \`${problem.code}\` | ${problem.status} |`), problem.code)
    }
})
