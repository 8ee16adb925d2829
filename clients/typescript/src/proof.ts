import { base64url, randomText, sha256 } from "./encoding.js"

/** The public members of a P-256 key (RFC 7518 section 6.2.1). */
export interface PublicKey {
    crv: string
    kty: string
    x: string
    y: string
}

/** What a proof says about its request (RFC 9449 section 4.2). */
export interface ProvedRequest {
    method: string
    address: string
    /** Seconds since 1970. */
    time: number
    accessToken?: string | undefined
    nonce?: string | undefined
}

const algorithm = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" }

/** A new key pair, whose private key no script can read. */
export async function newProofKey(): Promise<CryptoKeyPair> {
    return await crypto.subtle.generateKey(algorithm, false, ["sign", "verify"])
}

/** The public key as the proof's header shows it. */
export async function publicKeyOf(pair: CryptoKeyPair): Promise<PublicKey> {
    const { crv = "", kty = "", x = "", y = "" } = await crypto.subtle.exportKey("jwk", pair.publicKey)
    return { crv, kty, x, y }
}

/** The thumbprint of a public key (RFC 7638): `cnf.jkt` of an access token that is bound to it. */
export async function thumbprintOf({ crv, kty, x, y }: PublicKey): Promise<string> {
    // The hash is of these members in this order.
    return base64url(await sha256(JSON.stringify({ crv, kty, x, y })))
}

/** A DPoP proof of one request (RFC 9449 section 4.2), good once. */
export async function signedProof(pair: CryptoKeyPair, jwk: PublicKey, request: ProvedRequest): Promise<string> {
    const text = `${encoded({ typ: "dpop+jwt", alg: "ES256", jwk })}.${encoded(await claimsOf(request))}`
    const signature = await crypto.subtle.sign(algorithm, pair.privateKey, new TextEncoder().encode(text))
    return `${text}.${base64url(signature)}`
}

async function claimsOf({ method, address, time, accessToken, nonce }: ProvedRequest): Promise<object> {
    const { origin, pathname } = new URL(address)
    return {
        jti: randomText(), htm: method, htu: origin + pathname, iat: time,
        ...(accessToken !== undefined && { ath: base64url(await sha256(accessToken)) }),
        ...(nonce !== undefined && { nonce })
    }
}

const encoded = (value: object): string => base64url(new TextEncoder().encode(JSON.stringify(value)))
