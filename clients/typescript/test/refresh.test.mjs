// The refresh: one at a time, with the same token until an answer came, and an end only if the gateway says so.
import assert from "node:assert/strict"
import { test } from "node:test"
import { by, GatewayError, memoryStore, SessionEndedError, UnreachableError } from "../dist/index.js"
import { client, clock, json, network, problem, signedIn, tokens } from "./gateway.mjs"

const refreshed = number => () => json({ session: tokens(number) })

async function signedInClient(...answers) {
    const now = clock()
    const net = network(() => json(signedIn(1)), ...answers)
    const subject = client(net, { now })
    const { session } = await subject.signIn(by.password("ann@example.com", "a password"))
    return { subject, session, net, now }
}

test("callers at the same time share one refresh", async () => {
    const { session, net, now } = await signedInClient(refreshed(2))
    now.pass(700)
    const all = await Promise.all(Array.from({ length: 20 }, () => session.accessToken()))
    assert.deepEqual(new Set(all), new Set(["access-2"]))
    assert.equal(net.sent.length, 2)
})

test("clients that share a store share one refresh", async () => {
    const shared = new Map()
    const store = {
        sharedAs: "a test", get: key => shared.get(key) ?? null,
        set: (key, value) => void shared.set(key, value), remove: key => void shared.delete(key)
    }
    const now = clock()
    const net = network(() => json(signedIn(1)), refreshed(2))
    const [one, other] = [client(net, { now, store }), client(net, { now, store })]
    await one.signIn(by.password("ann@example.com", "a password"))
    now.pass(700)
    const sessions = [await one.session(), await other.session()]
    assert.deepEqual(await Promise.all(sessions.map(session => session.accessToken())), ["access-2", "access-2"])
    assert.equal(net.sent.length, 2)
    one.close()
    other.close()
})

test("a lost answer and a 503 are followed by the same refresh token", async () => {
    const { session, net, now } = await signedInClient(
        () => new TypeError("lost"), () => problem("database_unavailable", 503, { retry_after: 1 }), refreshed(2))
    now.pass(700)
    assert.equal(await session.accessToken(), "access-2")
    const used = net.sent.slice(1).map(request => request.body.refresh_token)
    assert.deepEqual(used, ["refresh-1", "refresh-1", "refresh-1"])
})

test("without a network the session stays, and the next call uses the same refresh token", async () => {
    const lost = () => new TypeError("lost")
    const { subject, session, net, now } = await signedInClient(lost, lost, lost, lost)
    now.pass(700)
    await assert.rejects(session.accessToken(), UnreachableError)
    assert.equal((await subject.session()).id, session.id)
    net.add(refreshed(2))
    assert.equal(await session.accessToken(), "access-2")
    assert.equal(net.sent.at(-1).body.refresh_token, "refresh-1")
})

for (const code of ["session_ended", "refresh_token_invalid", "refresh_token_expired", "refresh_token_reused"]) {
    test(`${code} ends the session`, async () => {
        const { subject, session, now } = await signedInClient(() => problem(code, 401))
        const states = []
        subject.addEventListener("state", event => states.push(event.state))
        now.pass(700)
        const isEnd = error => error instanceof SessionEndedError && error.reason === code
        await assert.rejects(session.accessToken(), isEnd)
        assert.deepEqual(states, [{ status: "ended", reason: code }])
        assert.equal(await subject.session(), undefined)
    })
}

const harmless = { invalid_client: 401, invalid_request: 400, throttled: 429, internal_error: 500 }
for (const [code, status] of Object.entries(harmless)) {
    test(`${code} does not end the session`, async () => {
        const answer = () => problem(code, status, { retry_after: 60 })
        const { subject, session, now } = await signedInClient(answer)
        now.pass(700)
        await assert.rejects(session.accessToken(), error => error instanceof GatewayError && error.code === code)
        assert.equal((await subject.session()).id, session.id)
    })
}

test("a call with an expired token is sent again with a new one", async () => {
    const { session, net } = await signedInClient(
        () => problem("access_token_expired", 401), refreshed(2), () => json({ factors: [], second_factor: false }))
    await session.account.factors()
    const bearers = net.sent.slice(1).map(request => request.headers.authorization)
    assert.deepEqual(bearers, ["Bearer access-1", undefined, "Bearer access-2"])
})

test("a call that is answered session_ended ends the session", async () => {
    const { subject, session } = await signedInClient(() => problem("session_ended", 401))
    await assert.rejects(session.account.profile(), error => error.code === "session_ended")
    assert.equal(await subject.session(), undefined)
})

test("the gateway's reason for an end is the reason of the state", async () => {
    const { subject, session } = await signedInClient(
        () => problem("session_ended", 401, { reason: "consent_withdrawn" }))
    const states = []
    subject.addEventListener("state", event => states.push(event.state))
    await assert.rejects(session.account.profile(), error => error.endReason === "consent_withdrawn")
    assert.deepEqual(states, [{ status: "ended", reason: "consent_withdrawn" }])
    await session.forget()
    assert.equal(states.length, 1)
})

test("a sign-out in another tab is a sign-out here, even if a call learned of the end first", async () => {
    const { subject, session } = await signedInClient(() => problem("session_ended", 401, { reason: "signed_out" }))
    const states = []
    subject.addEventListener("state", event => states.push(event.state.status))
    await assert.rejects(session.account.profile(), error => error.code === "session_ended")
    // The end of the other tab's sign-out, as its notice arrives here.
    await session.forget()
    assert.deepEqual(states, ["ended", "signedOut"])
})

test("a change of the store by another tab is the state here, until the client is closed", async () => {
    const watchers = []
    const watch = (key, changed, signal) => watchers.push({ key, changed, signal })
    const store = { ...memoryStore(), watch }
    const subject = client(network(() => json(signedIn(1))), { store })
    await subject.signIn(by.password("ann@example.com", "a password"))
    const states = []
    subject.addEventListener("state", event => states.push(event.state.status))
    await store.remove(watchers[0].key)
    watchers[0].changed()
    await new Promise(done => setImmediate(done))
    assert.deepEqual(states, ["signedOut"])
    subject.close()
    assert.ok(watchers[0].signal.aborted)
})

test("another sign-in replaces the session, whose tokens are never mixed up", async () => {
    const other = { ...signedIn(5), session: { ...tokens(5), id: "00000000-0000-7000-8000-000000000009" } }
    const { subject, session } = await signedInClient(() => json(other))
    await subject.signIn(by.password("bob@example.com", "a password"))
    await assert.rejects(session.accessToken(), error => error.reason === "replaced")
    assert.equal(await (await subject.session()).accessToken(), "access-5")
})

test("a store with damaged text counts as empty", async () => {
    const store = { ...memoryStore(), get: () => "{broken" }
    assert.equal(await client(network(), { store }).session(), undefined)
})
