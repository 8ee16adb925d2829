// One recording: calls in neutral words, and for each the requests and answers between a client and the gateway.
import { send } from "./server.mjs"
import { StandIns } from "./standins.mjs"

const answerHeaders = ["content-type", "retry-after", "www-authenticate"]

/** Records the calls of one scenario. */
export class Transcript {
    standIns = new StandIns()
    #calls = []

    constructor(servers, about) {
        Object.assign(this, { servers, about })
    }

    /**
     * Records a call of the client.
     *
     * @param call its name in Tests/Transcripts/README.md
     * @param arguments_ its arguments
     * @param requests what the client sends, in this order
     * @param result makes the expected result from the last answer's body
     * @returns the body of the last answer
     */
    async call(call, arguments_, requests, result) {
        const exchanges = []
        let body
        for (const request of requests) {
            const exchange = await this.#exchange(request)
            exchanges.push(exchange)
            body = exchange.response?.body ?? body
        }
        const expected = result(body)
        this.#calls.push({ call, ...(arguments_ && { with: arguments_ }), exchanges, result: expected })
        return body
    }

    async #exchange({ method = "POST", path, body, bearer, lost = false }) {
        const headers = {}
        if (bearer) headers.authorization = `Bearer ${bearer}`
        if (body !== undefined) headers["content-type"] = "application/json"
        const request = { method, path, headers, ...(body !== undefined && { body }) }
        const answer = await send(this.servers.gateway, request)
        this.standIns.learn(answer.body)
        if (lost) return { request, failure: "connection" }
        const kept = answerHeaders.filter(name => answer.headers.has(name))
        const response = {
            status: answer.status, headers: Object.fromEntries(kept.map(name => [name, answer.headers.get(name)])),
            ...(answer.body !== undefined && { body: answer.body })
        }
        return { request, response }
    }

    /** Moves the client's clock, so that tokens expire without a wait. */
    pass(seconds) {
        this.#calls.push({ call: "advanceClock", with: { seconds }, exchanges: [], result: { status: "done" } })
    }

    /** The whole transcript, with stand-ins. */
    get document() {
        return this.standIns.replace({ about: this.about, client_id: "app", calls: this.#calls })
    }
}

// MARK: Expected results

/** What a sign-in comes to: a session or a step. */
export function outcome(body) {
    return body.status === "signed_in"
        ? { status: "signedIn", session: body.session.id, account: body.account.id, new_account: body.new_account }
        : { status: "next", step: body.next_step.type }
}

export function refusal(body) {
    const { code, status: http, detail, retry_after } = body
    return { status: "refused", code, http, ...(detail && { detail }), ...(retry_after && { retry_after }) }
}

export const done = () => ({ status: "done" })
export const value = body => ({ status: "value", value: body })
export const accessToken = body => ({ status: "value", value: body.session.access_token })
export const ended = body => ({ status: "ended", reason: body.reason ?? body.code, state: "ended" })
