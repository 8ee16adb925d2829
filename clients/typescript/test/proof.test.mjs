// DPoP (RFC 9449): the proofs, the scheme of each token, nonces, and the life of the key.
import assert from "node:assert/strict"
import { test } from "node:test"
import { by, GatewayError, memoryStore, SessionEndedError } from "../dist/index.js"
import { newProofKey, publicKeyOf, signedProof, thumbprintOf } from "../dist/proof.js"
import { client, clock, json, network, problem, signedIn, tokens, url } from "./gateway.mjs"
import { boundRefresh, boundSignIn, hash, keyStore, readProof, wantsNonce } from "./proofs.mjs"

const factors = () => json({ factors: [], second_factor: false })

async function signedInClient(first, ...more) {
    const now = clock()
    const net = network(first, ...more)
    const [store, keys] = [memoryStore(), keyStore()]
    const subject = client(net, { now, store, proofOfPossession: keys })
    const { session } = await subject.signIn(by.password("ann@example.com", "a password"))
    return { subject, session, net, now, store, keys }
}

const proofs = net => net.sent.map(request => request.headers.dpop && readProof(request.headers.dpop))

test("thumbprint and hash of a token are those of the check values", async () => {
    // RFC 9449 section 6.1 and 7.1.
    const jwk = {
        crv: "P-256", kty: "EC", x: "l8tFrhx-34tV3hRICRDY9zCkDlpBhF42UQUfWVAWBFs",
        y: "9VE4jf_Ok_o64zbTTlcuNJajHmt6v9TDVrU0CdvGRDA"
    }
    assert.equal(await thumbprintOf(jwk), "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I")
    const pair = await newProofKey()
    const accessToken = "Kz~8mXK1EalYznwH-LC-1fBAo.4Ljp~zsPE_NeO.gxU"
    const request = { method: "GET", address: "https://resource.example.org/protectedresource", time: 1, accessToken }
    const { claims } = readProof(await signedProof(pair, await publicKeyOf(pair), request))
    assert.equal(claims.ath, "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo")
})

test("the private key can't be read, and the header shows the public members alone", async () => {
    const { net, keys } = await signedInClient(boundSignIn())
    const [pair] = keys.pairs.values()
    assert.equal(pair.privateKey.extractable, false)
    await assert.rejects(crypto.subtle.exportKey("jwk", pair.privateKey))
    const [{ header }] = proofs(net)
    assert.deepEqual([header.typ, header.alg, header.jwk.kty, header.jwk.crv], ["dpop+jwt", "ES256", "EC", "P-256"])
    assert.deepEqual(Object.keys(header.jwk).sort(), ["crv", "kty", "x", "y"])
})

test("a sign-in carries a proof of its request, without a token", async () => {
    const { net, now } = await signedInClient(boundSignIn())
    const [{ claims }] = proofs(net)
    const { jti, ...others } = claims
    assert.deepEqual(others, { htm: "POST", htu: `${url}/v1/sign-in`, iat: now.value / 1000 })
    assert.ok(Buffer.from(jti, "base64url").length >= 12)
    assert.equal(net.sent[0].headers.authorization, undefined)
})

test("a bound token is sent under DPoP with its hash; the address has no query; each proof is new", async () => {
    const events = () => json({ events: [], next_cursor: null })
    const { session, net } = await signedInClient(boundSignIn(), events, factors)
    await session.account.events({ limit: 5 })
    await session.account.factors()
    const [, first, second] = proofs(net)
    const authorizations = net.sent.slice(1).map(request => request.headers.authorization)
    assert.deepEqual(authorizations, ["DPoP access-1", "DPoP access-1"])
    assert.equal(first.claims.ath, hash("access-1"))
    assert.deepEqual([first.claims.htm, first.claims.htu], ["GET", `${url}/v1/account/events`])
    assert.notEqual(first.claims.jti, second.claims.jti)
    assert.deepEqual(new Set(proofs(net).map(proof => proof.thumbprint)).size, 1)
})

test("the scheme follows the token's type: a gateway without DPoP goes on with Bearer", async () => {
    const { session, net, now } = await signedInClient(() => json(signedIn(1)), factors, boundRefresh(2), factors)
    await session.account.factors()
    now.pass(700)
    await session.account.factors()
    const sent = net.sent.map(({ headers }) => [headers.authorization, headers.dpop !== undefined])
    assert.deepEqual(sent, [
        [undefined, true], ["Bearer access-1", false], [undefined, true], ["DPoP access-2", true]
    ])
})

test("a missing type is that of a bearer token", async () => {
    const { token_type: _, ...untyped } = tokens(1)
    const { session, net } = await signedInClient(() => json({ ...signedIn(1), session: untyped }), factors)
    await session.account.factors()
    assert.equal(net.sent[1].headers.authorization, "Bearer access-1")
})

test("a refresh is proved by the key of the session, each try with a proof of its own", async () => {
    const { session, net, now } = await signedInClient(boundSignIn(), () => new TypeError("lost"), boundRefresh(2))
    now.pass(700)
    assert.equal(await session.accessToken(), "access-2")
    const [first, lost, second] = proofs(net)
    assert.deepEqual([lost.thumbprint, second.thumbprint], [first.thumbprint, first.thumbprint])
    assert.deepEqual([second.claims.htu, second.claims.ath], [`${url}/v1/token/refresh`, undefined])
    assert.notEqual(lost.claims.jti, second.claims.jti)
})

test("a call is repeated once with the nonce that is asked for, and later proofs have the newest one", async () => {
    const { session, net } = await signedInClient(
        wantsNonce("n1"), boundSignIn(), wantsNonce("n2", 401),
        () => json({ factors: [] }, 200, { "dpop-nonce": "n3" }), factors)
    await session.account.factors()
    await session.account.factors()
    assert.deepEqual(proofs(net).map(({ claims }) => claims.nonce), [undefined, "n1", "n1", "n2", "n3"])
    assert.equal(new Set(proofs(net).map(({ claims }) => claims.jti)).size, 5)
})

test("a second demand for a nonce is an error, and so is one without a nonce", async () => {
    const twice = network(wantsNonce("n1"), wantsNonce("n2"))
    const options = () => ({ proofOfPossession: keyStore() })
    const isRefused = error => error instanceof GatewayError && error.code === "use_dpop_nonce"
    await assert.rejects(client(twice, options()).signIn(by.name("ann")), isRefused)
    assert.equal(twice.sent.length, 2)
    const without = network(() => problem("use_dpop_nonce", 400))
    await assert.rejects(client(without, options()).signIn(by.name("ann")), isRefused)
    assert.equal(without.sent.length, 1)
})

test("a refused proof is an ordinary error: no repeat, and the session stays", async () => {
    const { subject, session, net } = await signedInClient(boundSignIn(), () => problem("invalid_dpop_proof", 401))
    await assert.rejects(session.account.factors(), { name: "GatewayError", code: "invalid_dpop_proof" })
    assert.equal(net.sent.length, 2)
    assert.equal((await subject.session()).id, session.id)
})

test("after a reload the session goes on with the same key", async () => {
    const { net, store, keys, now } = await signedInClient(boundSignIn())
    const later = network(factors)
    const reloaded = client(later, { now, store, proofOfPossession: keys })
    await (await reloaded.session()).account.factors()
    assert.equal(proofs(later)[0].thumbprint, proofs(net)[0].thumbprint)
    assert.equal(later.sent[0].headers.authorization, "DPoP access-1")
})

for (const [what, option] of [["another key", keyStore], ["the option off", () => false]]) {
    test(`a session whose key is lost has ended, without a request: ${what}`, async () => {
        const { store, now } = await signedInClient(boundSignIn())
        const later = network()
        const reloaded = client(later, { now, store, proofOfPossession: option() })
        const session = await reloaded.session()
        const states = []
        reloaded.addEventListener("state", event => states.push(event.state))
        const isEnd = error => error instanceof SessionEndedError && error.reason === "proof_key_lost"
        await assert.rejects(session.account.profile(), isEnd)
        assert.deepEqual(states, [{ status: "ended", reason: "proof_key_lost" }])
        assert.deepEqual([await reloaded.session(), later.sent.length], [undefined, 0])
    })
}

test("without the option, with the cookie, and through a proxy of the app nothing is proved", async () => {
    const off = network(() => json(signedIn(1)))
    await client(off).signIn(by.name("ann"))
    const cookie = network(() => problem("access_token_missing", 401))
    await client(cookie, { proofOfPossession: keyStore() }).cookieSession()
    const proxied = network(() => json(signedIn(1)))
    const options = { issuer: "https://other.example.com", proofOfPossession: keyStore() }
    await client(proxied, options).signIn(by.name("ann"))
    for (const { sent: [{ headers }] } of [off, cookie, proxied]) assert.equal(headers.dpop, undefined)
})

test("calls that bring no session are not proved", async () => {
    const net = network(() => json({ nonce: "a", expires_in: 600 }))
    await client(net, { proofOfPossession: keyStore() }).nonce()
    assert.equal(net.sent[0].headers.dpop, undefined)
})
