// What the tests of proofs share: reading and verifying a proof, stores of keys, bound tokens, demands for a nonce.
import assert from "node:assert/strict"
import { createHash, createPublicKey, verify } from "node:crypto"
import { json, problem, signedIn, tokens } from "./gateway.mjs"

/** Verifies a proof by its own key, as a server does; returns its header, its claims and the key's thumbprint. */
export function readProof(proof) {
    const [head, body, signature] = proof.split(".")
    const [header, claims] = [head, body].map(part => JSON.parse(Buffer.from(part, "base64url")))
    const key = { key: createPublicKey({ key: header.jwk, format: "jwk" }), dsaEncoding: "ieee-p1363" }
    const bytes = Buffer.from(signature, "base64url")
    assert.ok(verify("sha256", Buffer.from(`${head}.${body}`), key, bytes), "the signature is wrong")
    const { crv, kty, x, y } = header.jwk
    return { header, claims, thumbprint: hash(JSON.stringify({ crv, kty, x, y })) }
}

export const hash = text => createHash("sha256").update(text).digest("base64url")

/** A place of keys that outlives a client, as IndexedDB outlives a page. */
export function keyStore() {
    const pairs = new Map()
    return {
        pairs, get: name => pairs.get(name),
        add: (name, pair) => pairs.set(name, pairs.get(name) ?? pair).get(name)
    }
}

export const bound = number => ({ ...tokens(number), token_type: "DPoP" })
export const boundSignIn = (number = 1) => () => json({ ...signedIn(number), session: bound(number) })
export const boundRefresh = number => () => json({ session: bound(number) })

/** A refusal that asks for a nonce. */
export const wantsNonce = (nonce, status = 400) => async () => {
    const body = await problem("use_dpop_nonce", status).json()
    return json(body, status, { "dpop-nonce": nonce })
}
