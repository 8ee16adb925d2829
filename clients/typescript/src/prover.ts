import { newProofKey, publicKeyOf, signedProof, thumbprintOf, type PublicKey } from "./proof.js"
import { standardKeys, type ProofKeyStore } from "./proof-keys.js"
import type { AccessToken } from "./tokens.js"

interface ProofKey {
    pair: CryptoKeyPair
    shown: PublicKey
    thumbprint: string
}

/** Proves the possession of one client's key (RFC 9449), and knows the newest nonce of each server. */
export class Prover {
    readonly #nonces = new Map<string, string>()
    #key: ProofKey | undefined

    constructor(
        private readonly keys: ProofKeyStore, private readonly name: string, private readonly now: () => number
    ) {}

    /** The thumbprint of the key; undefined if there is none yet, or none any more. */
    async thumbprint(): Promise<string | undefined> {
        if (this.#key === undefined) {
            const pair = await this.keys.get(this.name)
            this.#key = pair && await described(pair)
        }
        return this.#key?.thumbprint
    }

    /** A proof for one request. Its key is made if there is none. */
    async proof(method: string, address: string, accessToken?: string): Promise<string> {
        const { pair, shown } = await this.#present()
        const nonce = this.#nonces.get(new URL(address).origin)
        const time = Math.floor(this.now() / 1000)
        return await signedProof(pair, shown, { method, address, time, accessToken, nonce })
    }

    /** Keeps the nonce of an answer for the next proof to the same server (RFC 9449 section 8.2). */
    remember(address: string, nonce: string | null): void {
        if (nonce !== null) this.#nonces.set(new URL(address).origin, nonce)
    }

    async #present(): Promise<ProofKey> {
        await this.thumbprint()
        this.#key ??= await described(await this.keys.add(this.name, await newProofKey()))
        return this.#key
    }
}

async function described(pair: CryptoKeyPair): Promise<ProofKey> {
    const shown = await publicKeyOf(pair)
    return { pair, shown, thumbprint: await thumbprintOf(shown) }
}

/** The headers that authorise a request, under the scheme of the token (RFC 9449 section 7.1). */
export async function authorization(
    prover: Prover | undefined, access: AccessToken, method: string, address: string
): Promise<Record<string, string>> {
    if (!access.isBound || prover === undefined) return { authorization: `Bearer ${access.value}` }
    return { authorization: `DPoP ${access.value}`, dpop: await prover.proof(method, address, access.value) }
}

/** The prover of a client; undefined if the option is off. */
export function proverOf(
    wanted: boolean | ProofKeyStore, client: { url: string; issuer: string; clientId: string; now: () => number }
): Prover | undefined {
    const { url, issuer, clientId, now } = client
    // Behind a proxy of the app a proof would name the proxy's address, which the gateway refuses.
    if (wanted === false || addressOf(url) !== addressOf(issuer)) return undefined
    return new Prover(wanted === true ? standardKeys() : wanted, `login-gateway ${issuer} ${clientId}`, now)
}

const addressOf = (text: string): string => new URL(text).href.replace(/\/+$/, "")
