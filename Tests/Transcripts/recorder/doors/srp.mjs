// The client's side of Secure Remote Password as Cognito's clients compute it: SRP-6a in the 3,072-bit group.
import { createHash, createHmac, randomBytes } from "node:crypto"

/** The prime of RFC 3526 section 4. */
const prime = BigInt("0x" + `
    FFFFFFFFFFFFFFFFC90FDAA22168C234C4C6628B80DC1CD129024E088A67CC74020BBEA63B139B22514A08798E3404DD
    EF9519B3CD3A431B302B0A6DF25F14374FE1356D6D51C245E485B576625E7EC6F44C42E9A637ED6B0BFF5CB6F406B7ED
    EE386BFB5A899FA5AE9F24117C4B1FE649286651ECE45B3DC2007CB8A163BF0598DA48361C55D39A69163FA8FD24CF5F
    83655D23DCA3AD961C62F356208552BB9ED529077096966D670C354E4ABC9804F1746C08CA18217C32905E462E36CE3B
    E39E772C180E86039B2783A2EC07A28FB5C55DF06F4C52C9DE2BCBF6955817183995497CEA956AE515D2261898FA0510
    15728E5A8AAAC42DAD33170D04507A33A85521ABDF1CBA64ECFB850458DBEF0A8AEA71575D060C7DB3970F85A6E1E4C7
    ABF5AE8CDB0933D71E8C94E04A25619DCEE3D2261AD2EE6BF12FFA06D98A0864D87602733EC86A64521F2B18177B200C
    BBE117577A615D6C770988C0BAD946E208E24FA074E5AB3143DB5BFCE0FD108E4B82D120A93AD2CAFFFFFFFFFFFFFFFF
    `.replace(/\s/g, ""))
const generator = 2n
const timestamp = "Sat Nov 7 09:05:03 UTC 2026"

const sha256 = (...parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest()
const hmac = (key, ...parts) => parts.reduce((hash, part) => hash.update(part), createHmac("sha256", key)).digest()
const number = bytes => BigInt("0x" + bytes.toString("hex"))
const multiplier = number(sha256(padded(prime), padded(generator)))

/** The shortest form in two's complement. */
function padded(value) {
    const digits = value.toString(16)
    const even = digits.length % 2 === 1 ? "0" + digits : digits
    return Buffer.from(parseInt(even.slice(0, 2), 16) >= 0x80 ? "00" + even : even, "hex")
}

function power(base, exponent) {
    let [result, square] = [1n, ((base % prime) + prime) % prime]
    for (let rest = exponent; rest > 0n; rest >>= 1n) {
        if (rest & 1n) result = (result * square) % prime
        square = (square * square) % prime
    }
    return result
}

/** One sign-in. */
export class SRPClient {
    #secret = number(randomBytes(32))
    #value = power(generator, this.#secret)

    /** `SRP_A`. */
    get publicValue() {
        return this.#value.toString(16)
    }

    /** The responses to `PASSWORD_VERIFIER`. */
    responses(pool, { SALT, SRP_B, SECRET_BLOCK, USER_ID_FOR_SRP: user }, password) {
        return { USERNAME: user, ...this.#proof(pool.split("_")[1], user, { SALT, SRP_B, SECRET_BLOCK }, password) }
    }

    /** The responses to `DEVICE_PASSWORD_VERIFIER`. */
    deviceResponses({ DeviceGroupKey, DeviceKey, secret }, challenge) {
        return { DEVICE_KEY: DeviceKey, ...this.#proof(DeviceGroupKey, DeviceKey, challenge, secret) }
    }

    #proof(realm, name, { SALT, SRP_B, SECRET_BLOCK }, password) {
        const key = this.#key(BigInt("0x" + SALT), BigInt("0x" + SRP_B), realm + name, password)
        const signature = hmac(key, realm, name, Buffer.from(SECRET_BLOCK, "base64"), timestamp)
        return {
            PASSWORD_CLAIM_SECRET_BLOCK: SECRET_BLOCK, TIMESTAMP: timestamp,
            PASSWORD_CLAIM_SIGNATURE: signature.toString("base64")
        }
    }

    #key(salt, other, name, password) {
        const exponent = number(sha256(padded(salt), sha256(`${name}:${password}`)))
        const scrambler = number(sha256(padded(this.#value), padded(other)))
        const shared = power(other - multiplier * power(generator, exponent), this.#secret + scrambler * exponent)
        const pseudorandom = hmac(padded(scrambler), padded(shared))
        return hmac(pseudorandom, "Caldera Derived Key", Buffer.from([1])).subarray(0, 16)
    }
}

/** `DeviceSecretVerifierConfig` of a device's secret. */
export function deviceVerifier({ DeviceGroupKey, DeviceKey, secret }) {
    const salt = number(randomBytes(16))
    const exponent = number(sha256(padded(salt), sha256(`${DeviceGroupKey}${DeviceKey}:${secret}`)))
    const text = value => padded(value).toString("base64")
    return { Salt: text(salt), PasswordVerifier: text(power(generator, exponent)) }
}
