// Requests, steps, states and what must not leak.
import assert from "node:assert/strict"
import { inspect } from "node:util"
import { test } from "node:test"
import { by, GatewayClient, GatewayError, memoryStore, UnreachableError } from "../dist/index.js"
import { client, json, network, problem, signedIn, url } from "./gateway.mjs"

const step = next_step => () => json({ status: "next_step", flow: "fl_1", expires_in: 600, next_step })

test("an address without TLS is refused, save for this machine", () => {
    for (const address of ["http://login.example.com", "ftp://localhost", "http://localhost.evil.example"]) {
        assert.throws(() => new GatewayClient({ url: address, clientId: "app" }), TypeError)
    }
    for (const address of ["http://localhost:8080", "http://127.0.0.1:8080", "http://app.localhost"]) {
        assert.ok(new GatewayClient({ url: address, clientId: "app", store: memoryStore() }))
    }
})

test("the name and the token of the device go with each sign-in", async () => {
    const net = network(() => json(signedIn(1, { device: { token: "dt_1" } })), () => json(signedIn(2)))
    const subject = client(net, { deviceName: "Ann's laptop" })
    await subject.signIn(by.password("ann", "a password"))
    await subject.signIn(by.password("ann", "a password"))
    const [first, second] = net.sent.map(request => request.body.device)
    assert.deepEqual(first, { name: "Ann's laptop" })
    assert.deepEqual(second, { name: "Ann's laptop", token: "dt_1" })
})

test("a step of a newer server has no answer", async () => {
    const subject = client(network(step({ type: "confirm_by_telepathy" })))
    const { step: asked } = await subject.signIn(by.name("ann"))
    assert.deepEqual([asked.type, asked.name, asked.answer], ["unknown", "confirm_by_telepathy", undefined])
})

test("only steps with a sent code have a resend", async () => {
    const net = network(step({ type: "confirm_sign_up" }), step({ type: "confirm_sign_in_with_totp_code" }))
    const subject = client(net)
    assert.equal(typeof (await subject.signIn(by.name("ann"))).step.resend, "function")
    assert.equal((await subject.signIn(by.name("ann"))).step.resend, undefined)
})

test("a refusal has its code, its members and no token", async () => {
    const net = network(() => problem("identity_in_use", 409, {
        merge_ticket: "mt_secret", detail: "Why.", errors: [{ pointer: "/a", code: "b", detail: "c" }]
    }))
    const error = await client(net).signIn(by.name("ann")).catch(error => error)
    assert.ok(error instanceof GatewayError)
    assert.deepEqual([error.code, error.status, error.detail, error.items.length], ["identity_in_use", 409, "Why.", 1])
    assert.equal(error.mergeTicket, "mt_secret")
    assert.ok(!`${inspect(error, { showHidden: true })}${JSON.stringify(error)}`.includes("mt_secret"))
})

test("the message of a refusal names the faulty member and what it may be", async () => {
    const detail = "unknown member; accepted: id_token, nonce"
    const net = network(() => problem("invalid_request", 400, {
        title: "Invalid request", errors: [{ pointer: "/credential/token", code: "unknown_member", detail }]
    }))
    const expected = { message: `Invalid request: /credential/token ${detail}` }
    await assert.rejects(client(net).signIn(by.name("ann")), expected)
})

test("an answer that is not the gateway's is a refusal without one of its codes", async () => {
    const net = network(() => new Response("<h1>Bad gateway</h1>", { status: 502 }))
    const expected = { name: "GatewayError", code: "unexpected_answer", status: 502 }
    await assert.rejects(client(net).signIn(by.name("ann")), expected)
})

test("a call that hangs ends after the timeout", async () => {
    const hang = (_, { signal }) => new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason))
    })
    await assert.rejects(client({ fetch: hang }, { timeout: 20 }).nonce(), UnreachableError)
})

/** Runs the body as on a page of this origin. */
async function onPage(origin, body, isOnline = true) {
    const before = ["location", "navigator"].map(name => [name, Object.getOwnPropertyDescriptor(globalThis, name)])
    const values = { location: { origin }, navigator: { onLine: isOnline } }
    for (const [name] of before) Object.defineProperty(globalThis, name, { value: values[name], configurable: true })
    try {
        return await body()
    } finally {
        for (const [name, old] of before) {
            if (old === undefined) delete globalThis[name]
            else Object.defineProperty(globalThis, name, old)
        }
    }
}

test("a page whose call fails as by CORS learns which origin to register", async () => {
    const lost = () => client(network(() => new TypeError("Failed to fetch"))).nonce().catch(error => error)
    const page = "http://localhost:5173"
    const error = await onPage(page, lost)
    assert.ok(error instanceof UnreachableError)
    assert.equal(error.origin, page)
    assert.match(error.message, /gateway clients change APP --add-origin http:\/\/localhost:5173,/)
    const others = [await onPage(url, lost), await onPage("null", lost), await onPage(page, lost, false), await lost()]
    for (const other of others) {
        assert.deepEqual([other.origin, other.message], [undefined, "The sign-in service can't be reached."])
    }
})

test("a call that a page gave up after the timeout says nothing of its origin", async () => {
    const hang = (_, { signal }) => new Promise((_, reject) => {
        signal.addEventListener("abort", () => reject(signal.reason))
    })
    const error = await onPage("http://localhost:5173", () => {
        return client({ fetch: hang }, { timeout: 20 }).nonce().catch(error => error)
    })
    assert.equal(error.origin, undefined)
})

test("no log of a session, a client or a store shows a token", async () => {
    const store = memoryStore()
    const subject = client(network(() => json(signedIn(1))), { store })
    const { session } = await subject.signIn(by.password("ann", "a password"))
    for (const value of [session, subject, store]) {
        const text = inspect(value, { depth: 9, showHidden: true }) + JSON.stringify(value)
        assert.ok(!/access-1|refresh-1/.test(text), text)
    }
})

test("fetch gives the token to the gateway and to the listed APIs alone", async () => {
    const subject = client(network(() => json(signedIn(1))), { apis: ["https://api.example.com"] })
    const { session } = await subject.signIn(by.password("ann", "a password"))
    await assert.rejects(session.fetch("https://evil.example/"), TypeError)
    await assert.rejects(session.fetch("https://api.example.com.evil.example/"), TypeError)
    await assert.rejects(session.fetch("http://api.example.com/"), TypeError)
})

test("states tell of the sign-in and of the sign-out, for await and as events", async () => {
    const subject = client(network(() => json(signedIn(1)), () => json(undefined, 204)))
    const seen = []
    const reading = (async () => {
        for await (const state of subject.states()) {
            seen.push(state.status)
            if (seen.length === 3) return
        }
    })()
    await new Promise(resolve => setTimeout(resolve, 0))
    const { session } = await subject.signIn(by.password("ann", "a password"))
    await session.signOut()
    await reading
    assert.deepEqual(seen, ["signedOut", "signedIn", "signedOut"])
})

test("a sign-out without a network forgets the tokens of this device", async () => {
    const subject = client(network(() => json(signedIn(1)), () => new TypeError("lost")))
    const { session } = await subject.signIn(by.password("ann", "a password"))
    await assert.rejects(session.signOut({ everywhere: true }), UnreachableError)
    assert.equal(await subject.session(), undefined)
})

test("the cookie's session is asked for with credentials; without one there is none", async () => {
    const net = network(() => problem("access_token_missing", 401))
    assert.equal(await client(net).cookieSession(), undefined)
    assert.equal(net.sent[0].credentials, "include")
})

test("parameters of a path are encoded, those of a query follow", async () => {
    const events = () => json({ events: [], next_cursor: null })
    const net = network(() => json(signedIn(1)), () => json(undefined, 204), events)
    const { session } = await client(net).signIn(by.password("ann", "a password"))
    await session.account.removeAddress("a/b@example.com")
    await session.account.events({ limit: 5 })
    assert.deepEqual(net.sent.slice(1).map(request => request.url.href.slice(url.length)), [
        "/v1/account/addresses/a%2Fb%40example.com", "/v1/account/events?limit=5"
    ])
})
