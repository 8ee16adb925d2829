// A passkey of a device: one key on P-256, without attestation.
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto"

const sha256 = bytes => createHash("sha256").update(bytes).digest()
const text = word => Buffer.concat([Buffer.from([0x60 + word.length]), Buffer.from(word)])
const bytes = content => Buffer.concat([Buffer.from([0x58, content.length]), content])

export class Authenticator {
    #keys = generateKeyPairSync("ec", { namedCurve: "P-256" })
    #id = randomBytes(32)
    #count = 0

    /** @param origin the origin that it reports */
    constructor(origin) {
        this.origin = origin
    }

    /** The registration for creation options, as JSON. */
    register({ challenge, rp }) {
        const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, this.#id.length]), this.#id, this.#key()])
        const data = this.#data(rp.id, 0x45, credential)
        const object = Buffer.concat([
            Buffer.from([0xa3]), text("fmt"), text("none"), text("attStmt"), Buffer.from([0xa0]), text("authData"),
            bytes(data)
        ])
        return this.#answer({
            clientDataJSON: this.#client("webauthn.create", challenge).toString("base64url"),
            attestationObject: object.toString("base64url"), transports: ["internal"]
        })
    }

    /** The assertion for request options, as JSON. */
    assert({ challenge, rpId }, userHandle) {
        const [data, client] = [this.#data(rpId, 0x05), this.#client("webauthn.get", challenge)]
        const signature = sign("sha256", Buffer.concat([data, sha256(client)]), this.#keys.privateKey)
        return this.#answer({
            clientDataJSON: client.toString("base64url"), authenticatorData: data.toString("base64url"),
            signature: signature.toString("base64url"), userHandle
        })
    }

    get id() {
        return this.#id.toString("base64url")
    }

    #answer(response) {
        return {
            id: this.id, rawId: this.id, type: "public-key", authenticatorAttachment: "platform",
            clientExtensionResults: {}, response
        }
    }

    #client(type, challenge) {
        return Buffer.from(JSON.stringify({ type, challenge, origin: this.origin, crossOrigin: false }))
    }

    #data(domain, flags, credential = Buffer.alloc(0)) {
        const counter = Buffer.alloc(4)
        counter.writeUInt32BE(++this.#count)
        return Buffer.concat([sha256(domain), Buffer.from([flags]), counter, credential])
    }

    // COSE: an EC key for ES256 (RFC 9053).
    #key() {
        const { x, y } = this.#keys.publicKey.export({ format: "jwk" })
        const part = value => Buffer.from(value, "base64url")
        return Buffer.concat([
            Buffer.from([0xa5, 1, 2, 3, 0x26, 0x20, 1, 0x21, 0x58, 32]), part(x), Buffer.from([0x22, 0x58, 32]), part(y)
        ])
    }
}
