// One recording of a door: requests and answers, with stand-ins for values that differ from run to run.
import { freshEmail, freshPhone, signedUp } from "../people.mjs"
import { StandIns } from "../standins.mjs"
import { signed } from "./signature.mjs"
import { claimsOf, stillTimes, textsIn } from "./tokens.mjs"

/** In place of a signature, which the recording makes when it sends the request. */
export const signature = "AWS4-HMAC-SHA256 …"

/** Members of the doors with secret or random values, and the stem of their stand-ins. */
const stems = {
    AccessToken: "access-token", IssuedToken: "derived-token", IdToken: "id-token", RefreshToken: "refresh-token", Session: "session",
    SessionId: "user-session", DeviceKey: "device-key", DeviceGroupKey: "device-group", Salt: "device-salt", PasswordVerifier: "device-verifier",
    SecretCode: "secret-code", SRP_A: "srp-a", SRP_B: "srp-b", SALT: "salt", SECRET_BLOCK: "secret-block",
    PASSWORD_CLAIM_SIGNATURE: "claim-signature", SECRET_HASH: "secret-hash", CredentialId: "credential",
    attestationObject: "attestation", clientDataJSON: "client-data", authenticatorData: "authenticator-data",
    signature: "signature", userHandle: "user-handle", continuation_token: "continuation-token", continuationToken: "continuation-token",
    client_info: "client-info", kid: "key", n: "modulus", at_hash: "token-hash", uti: "token-id", jti: "token-id",
    "x-amzn-requestid": "request", token: undefined
}
const answerHeaders = [
    "content-type", "cache-control", "location", "retry-after", "www-authenticate", "x-amzn-requestid",
    "x-amzn-errortype", "x-amzn-errormessage", "client-request-id", "x-ms-request-id"
]

/** Records the exchanges of one operation. */
export class Exchanges {
    standIns = new StandIns(stems)
    #exchanges = []
    #tokens = {}

    constructor(servers, about) {
        Object.assign(this, { servers, about })
        this.standIns.set(servers.gateway, "https://login.example.com")
        this.standIns.set(servers.publicURL, "https://login.example.com")
        this.standIns.set(servers.secret, "client-secret-1")
    }

    /**
     * Records a request and its answer.
     *
     * @param about what the caller tries, in words
     * @param request `method`, `path`, `headers`, and a `body`: JSON, or the fields of a form
     * @returns the body of the answer
     */
    async exchange(about, request) {
        return this.#keep(about, request, await this.send(request)).body
    }

    /** The same for a request that is refused until some seconds have passed; records the first success. */
    async exchangeLater(about, request) {
        const end = Date.now() + 90_000
        let answer = await this.send(request)
        while (answer.status !== 200 && Date.now() < end) {
            await new Promise(resolve => setTimeout(resolve, 1_000))
            answer = await this.send(request)
        }
        return this.#keep(about, request, answer).body
    }

    /** Waits for the next second, because two tokens of one session and second are the same. */
    nextSecond = () => new Promise(resolve => setTimeout(resolve, 1_100))

    #keep(about, request, answer) {
        const headers = Object.fromEntries(
            answerHeaders.filter(name => answer.headers.has(name)).map(name => [name, answer.headers.get(name)]))
        this.learn(answer.body)
        this.learn(headers)
        const response = { status: answer.status, headers, ...(answer.body !== undefined && { body: answer.body }) }
        this.#exchanges.push({ about, request, response: stillTimes(response) })
        return answer
    }

    /** Sends a request that the transcript does not contain; throws unless it succeeds. */
    async prepare(request) {
        const answer = await this.send(request)
        if (answer.status >= 300) throw new Error(`${request.path}: ${answer.status} ${JSON.stringify(answer.body)}`)
        this.learn(answer.body)
        return answer.body
    }

    async send({ method, path, headers = {}, body }) {
        const isJSON = headers["content-type"]?.includes("json")
        const encode = value => (isJSON ? JSON.stringify(value) : new URLSearchParams(value).toString())
        const sent = body === undefined || typeof body === "string" ? body : encode(body)
        const answer = await fetch(this.servers.gateway + path, {
            method, headers: this.#signing(method, path, headers, sent), redirect: "manual", body: sent
        })
        const text = await answer.text()
        const type = answer.headers.get("content-type") ?? ""
        const parsed = type.includes("json") ? JSON.parse(text) : type.includes("html") ? "(a page)" : text
        return { status: answer.status, headers: answer.headers, body: text === "" ? undefined : parsed }
    }

    #signing(method, path, { authorization, ...headers }, body) {
        if (authorization !== signature) return authorization === undefined ? headers : { ...headers, authorization }
        return signed(method, this.servers.gateway + path, headers, body, "eu-central-1", this.servers.accessKey)
    }

    /** Gives stand-ins to the volatile values of a body, those inside of texts and tokens too. */
    learn(body) {
        const timestamp = body?.timestamp ?? body?.error?.timestamp
        if (timestamp) this.standIns.set(timestamp, "2026-01-01 00:00:00Z")
        this.standIns.learn(body)
        // A code of native authentication; errors have a member of the same name.
        if (body?.code?.startsWith?.("nc_")) this.standIns.learn({ authorization_code: body.code })
        for (const text of textsIn(body)) {
            if (text.startsWith("{")) this.standIns.learn(JSON.parse(text))
            const claims = claimsOf(text)
            if (claims === undefined) continue
            this.standIns.learn(claims)
            this.#tokens[text] = stillTimes(claims)
        }
    }

    // MARK: People

    /** A new address with a stand-in. */
    address(standIn = "ann@example.com") {
        const email = freshEmail()
        this.standIns.set(email, standIn)
        return email
    }

    /** An account with a password; resolves with its address. */
    async person(standIn) {
        const email = this.address(standIn)
        await signedUp(this.servers, email)
        return email
    }

    /** The code of the given mail to an address. */
    async code(email, number = 1) {
        const code = await this.servers.mailedCode(email, number)
        this.standIns.set(code, "123456")
        return code
    }

    /** A new number with a stand-in. */
    number(standIn = "+4915112345678") {
        const phone = freshPhone()
        this.standIns.set(phone, standIn)
        return phone
    }

    /** The code of the given text message to a number. */
    async textedCode(phone, number = 1) {
        const code = await this.servers.textedCode(phone, number)
        this.standIns.set(code, "123456")
        return code
    }

    /** Another code. */
    wrong(code) {
        const wrong = code === "000000" ? "111111" : "000000"
        this.standIns.set(wrong, "000000")
        return wrong
    }

    /** The whole transcript, with stand-ins. */
    get document() {
        const document = { about: this.about, exchanges: this.#exchanges }
        if (Object.keys(this.#tokens).length > 0) document.tokens = this.#tokens
        // As in a file: without members that have no value.
        const replaced = JSON.parse(JSON.stringify(this.standIns.replace(document)))
        if (replaced.tokens) replaced.tokens = this.#named(replaced.tokens)
        return replaced
    }

    // The first token of each kind: the others have the same claims.
    #named(tokens) {
        const named = Object.entries(tokens).map(([token, claims]) => [this.standIns.replace(token), claims])
        return Object.fromEntries(named.filter(([name]) => name.endsWith("-1")))
    }
}
