// Replaces values that differ from run to run by fixed stand-ins, so that each recording gives the same transcript.

/** Members of answers with secret or random values, and the stem of their placeholders. */
const stems = {
    access_token: "access-token", refresh_token: "refresh-token", flow: "flow", merge_ticket: "merge-ticket",
    digest: "digest", nonce: "nonce", identity_token: "identity-token", id_token: "id-token",
    authorization_code: "authorization-code", request_id: "request", token: "device-token", secret: "secret",
    uri: "uri", subject: "subject", challenge: "challenge"
}
/** Members that run down. */
const lifetimes = ["expires_in", "ExpiresIn", "refresh_expires_in", "retry_after", "interval"]
const uuid = /\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/
/** The address of the recorded server, in the type of a problem. */
const origin = /^https?:\/\/[^/]+(?=\/errors\/)/
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/

/** The stand-ins of one transcript. */
export class StandIns {
    #byValue = new Map()
    #counts = new Map()
    #stems

    /** @param more further members, with the stems of their stand-ins */
    constructor(more = {}) {
        this.#stems = { ...stems, ...more }
    }

    /** Gives a value a stand-in of the caller's choice. */
    set(value, standIn) {
        this.#byValue.set(value, standIn)
    }

    /** Gives stand-ins to the volatile values of a body. */
    learn(body, name = "") {
        if (Array.isArray(body)) body.forEach(item => this.learn(item, name))
        else if (body !== null && typeof body === "object") {
            for (const [member, value] of Object.entries(body)) this.learn(value, member)
        } else if (typeof body === "string") this.#learnText(body, name)
    }

    #learnText(text, name) {
        if (this.#byValue.has(text) || text === "") return
        if (uuid.test(text) && text.length === 36) {
            const number = this.#next("id").toString(16).padStart(12, "0")
            this.#byValue.set(text, `00000000-0000-7000-8000-${number}`)
        } else if (this.#stems[name] !== undefined) {
            this.#byValue.set(text, `${this.#stems[name]}-${this.#next(this.#stems[name])}`)
        }
    }

    #next(stem) {
        const number = (this.#counts.get(stem) ?? 0) + 1
        this.#counts.set(stem, number)
        return number
    }

    /** The same transcript with stand-ins. Lifetimes are rounded up to tens of seconds, because they run down. */
    replace(value, name = "") {
        if (Array.isArray(value)) return value.map(item => this.replace(item, name))
        if (value !== null && typeof value === "object") {
            return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, this.replace(item, key)]))
        }
        if (typeof value === "number") {
            return lifetimes.includes(name) ? Math.ceil(value / 10) * 10 : value
        }
        return typeof value === "string" ? this.#replaceText(value, name) : value
    }

    #replaceText(text, name) {
        if (time.test(text)) return "2026-01-01T00:00:00Z"
        if (name === "type") return text.replace(origin, "https://login.example.com")
        if (name === "retry-after") return String(Math.ceil(Number(text) / 10) * 10)
        const values = [...this.#byValue.keys()].sort((one, other) => other.length - one.length)
        return values.reduce((result, value) => result.replaceAll(value, this.#byValue.get(value)), text)
    }
}
