// Where a key is: in IndexedDB where there is one, and one for all tabs. And requests to an app's own API.
import assert from "node:assert/strict"
import { afterEach, test } from "node:test"
import { by } from "../dist/index.js"
import { newProofKey } from "../dist/proof.js"
import { standardKeys } from "../dist/proof-keys.js"
import { client, network } from "./gateway.mjs"
import { boundSignIn, hash, keyStore, readProof } from "./proofs.mjs"

afterEach(() => { delete globalThis.indexedDB })

/** As much of IndexedDB as the library uses. Each transaction is over in a later turn, as in a browser. */
function fakeIndexedDB() {
    const tables = new Map()
    const later = (target, name) => setImmediate(() => target[name]?.())
    const table = name => ({
        get: key => {
            const request = { result: tables.get(name).get(key) }
            queueMicrotask(() => request.onsuccess?.())
            return request
        },
        put: (value, key) => void tables.get(name).set(key, value)
    })
    const transaction = () => {
        const begun = { objectStore: table }
        later(begun, "oncomplete")
        return begun
    }
    const database = { createObjectStore: name => tables.set(name, new Map()), transaction, close: () => undefined }
    const open = () => {
        const request = { result: database }
        if (tables.size === 0) later(request, "onupgradeneeded")
        later(request, "onsuccess")
        return request
    }
    return { open, tables }
}

test("a key is in IndexedDB, and the tab that was first has chosen it for all", async () => {
    const fake = globalThis.indexedDB = fakeIndexedDB()
    const [one, other] = [standardKeys(), standardKeys()]
    assert.equal(await one.get("a"), undefined)
    const pairs = [await newProofKey(), await newProofKey()]
    assert.equal(await one.add("a", pairs[0]), pairs[0])
    assert.equal(await other.add("a", pairs[1]), pairs[0])
    assert.equal(await other.get("a"), pairs[0])
    assert.equal(await other.get("b"), undefined)
    assert.equal(fake.tables.get("keys").size, 1)
})

test("an IndexedDB that can't be opened is an error, not a lost key", async () => {
    const error = new Error("The disk is full.")
    const open = () => {
        const request = { error }
        setImmediate(() => request.onerror())
        return request
    }
    globalThis.indexedDB = { open }
    await assert.rejects(async () => await standardKeys().get("a"), error)
})

test("elsewhere a key is in memory", async () => {
    const [keys, pair] = [standardKeys(), await newProofKey()]
    assert.equal(await keys.get("a"), undefined)
    assert.equal(await keys.add("a", pair), pair)
    assert.equal(await keys.add("a", await newProofKey()), pair)
    assert.equal(await keys.get("a"), pair)
})

/** A session with a bound token, and the requests that its `fetch` has sent. */
async function withApi(...answers) {
    const sent = []
    const net = network(boundSignIn())
    const fetch = async (request, init) => {
        if (!(request instanceof Request)) return await net.fetch(request, init)
        sent.push({ request, body: await request.text() })
        return answers.shift()
    }
    const subject = client(net, { fetch, proofOfPossession: keyStore(), apis: ["https://api.example.com"] })
    const { session } = await subject.signIn(by.password("ann", "a password"))
    return { session, sent }
}

const challenge = (words, more = {}) => new Response(null, {
    status: 401, headers: { "www-authenticate": `DPoP ${words}`, ...more }
})

test("a request to an API is proved for its own address, and repeated once with the nonce of that API", async () => {
    const { session, sent } = await withApi(
        challenge('error="use_dpop_nonce"', { "dpop-nonce": "api-1" }), new Response("[]"), new Response("[]"))
    const answer = await session.fetch("https://api.example.com/orders?page=2#top", { method: "POST", body: "x" })
    assert.equal(await answer.text(), "[]")
    await session.fetch("https://login.example.com/v1/session")
    const proofs = sent.map(({ request }) => readProof(request.headers.get("dpop")).claims)
    assert.deepEqual(proofs.map(({ htm, htu, nonce }) => [htm, htu, nonce]), [
        ["POST", "https://api.example.com/orders", undefined], ["POST", "https://api.example.com/orders", "api-1"],
        ["GET", "https://login.example.com/v1/session", undefined]
    ])
    assert.deepEqual(new Set(proofs.map(({ ath }) => ath)), new Set([hash("access-1")]))
    assert.deepEqual(sent.map(({ body }) => body), ["x", "x", ""])
    assert.equal(sent[1].request.headers.get("authorization"), "DPoP access-1")
})

test("an API that asks for a nonce again gets no third request", async () => {
    const asks = nonce => challenge('error="use_dpop_nonce"', { "dpop-nonce": nonce })
    const { session, sent } = await withApi(asks("a"), asks("b"))
    assert.equal((await session.fetch("https://api.example.com/orders")).status, 401)
    assert.equal(sent.length, 2)
})
