// The client's side of AWS Signature Version 4, for the administrator operations of Cognito's API.
import { createHash, createHmac } from "node:crypto"

const algorithm = "AWS4-HMAC-SHA256"
const service = "cognito-idp"
const hash = text => createHash("sha256").update(text).digest("hex")
const hmac = (key, text) => createHmac("sha256", key).update(text).digest()

/**
 * The headers of a signed request.
 *
 * @param address of the request
 * @param headers that are signed, besides `host` and `x-amz-date`
 * @param key `id` and `secret` of the access key
 */
export function signed(method, address, headers, body, region, key) {
    const time = new Date().toISOString().replace(/[-:]|\.\d{3}/g, "")
    const { host, pathname } = new URL(address)
    const all = { ...headers, host, "x-amz-date": time }
    const names = Object.keys(all).sort()
    const list = names.map(name => `${name}:${all[name]}\n`).join("")
    const canonical = [method, pathname, "", list, names.join(";"), hash(body)].join("\n")
    const scope = [time.slice(0, 8), region, service, "aws4_request"]
    const secret = scope.reduce(hmac, `AWS4${key.secret}`)
    const signature = hmac(secret, [algorithm, time, scope.join("/"), hash(canonical)].join("\n")).toString("hex")
    const credential = [key.id, ...scope].join("/")
    return {
        ...headers, "x-amz-date": time,
        authorization: `${algorithm} Credential=${credential}, SignedHeaders=${names.join(";")}, Signature=${signature}`
    }
}
