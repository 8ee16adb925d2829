// The client makes exactly the requests of Tests/Transcripts, and comes to the results that stand there.
import assert from "node:assert/strict"
import { readdirSync, readFileSync } from "node:fs"
import { test } from "node:test"
import { by, GatewayError, SessionEndedError } from "../dist/index.js"
import { client, clock } from "./gateway.mjs"

const folder = new URL("../../../Tests/Transcripts/", import.meta.url)

const names = readdirSync(folder).filter(name => name.endsWith(".json"))
for (const name of names) {
    test(`transcript ${name}`, async () => await replay(JSON.parse(readFileSync(new URL(name, folder), "utf8"))))
}

test("there are transcripts", () => assert.ok(names.length >= 10, `${names.length} were found`))

async function replay(transcript) {
    const now = clock()
    const line = new Line()
    const subject = client(line, { clientId: transcript.client_id, now })
    const calls = new Calls(subject, now)
    for (const { call, with: words, exchanges, result } of transcript.calls) {
        line.expect(exchanges)
        assert.deepEqual(await calls.make(call, words), result, call)
        line.finish(call)
    }
}

/** The network: compares each request with the next exchange, and gives its answer. */
class Line {
    #exchanges = []

    expect(exchanges) {
        this.#exchanges = [...exchanges]
    }

    finish(call) {
        assert.equal(this.#exchanges.length, 0, `${call} made too few requests`)
    }

    fetch = async (address, init) => {
        const exchange = this.#exchanges.shift()
        const { method, headers, body } = init
        const request = { method, path: address.replace("https://login.example.com", ""), headers }
        assert.deepEqual(body === undefined ? request : { ...request, body: JSON.parse(body) }, exchange?.request)
        if (exchange.failure !== undefined) throw new TypeError("The connection was lost.")
        const { response } = exchange
        return new Response(response.body === undefined ? null : JSON.stringify(response.body), response)
    }
}

/** The calls of Tests/Transcripts/README.md in the words of this library. */
class Calls {
    #step
    #session
    #state

    constructor(subject, now) {
        Object.assign(this, { subject, now })
        subject.addEventListener("state", event => { this.#state = event.state })
    }

    async make(call, words) {
        const before = this.#state
        const result = await this[call](words).catch(error => refusal(error))
        const after = this.#state
        const over = after !== before && after.status !== "signedIn"
        return over ? { ...result, state: after.status } : result
    }

    signIn = async words => this.#outcome(await this.subject.signIn(method(words)))
    linkSignIn = async words => this.#outcome(await this.#step.signIn(method(words)))
    signUp = async words => this.#outcome(await this.subject.signUp(words))
    forgotPassword = async ({ username }) => this.#outcome(await this.subject.forgotPassword(username))
    answer = async words => this.#outcome(await this.#step.answer(words))
    resend = async () => this.#outcome(await this.#step.resend())
    nonce = async () => value(await this.subject.nonce())
    accessToken = async () => value(await this.#session.accessToken())
    profile = async () => value(await this.#session.account.profile())

    signOut = async ({ scope }) => done(await this.#session.signOut({ everywhere: scope === "global" }))
    advanceClock = async ({ seconds }) => done(this.now.pass(seconds))

    changePassword = async ({ current_password, new_password }) =>
        done(await this.#session.account.changePassword({ current: current_password, new: new_password }))

    #outcome(result) {
        if (result.status === "next") {
            this.#step = result.step
            return { status: "next", step: result.step.type }
        }
        this.#session = result.session
        const { session, account, newAccount } = result
        return { status: "signedIn", session: session.id, account: account.id, new_account: newAccount }
    }
}

function method({ method, username, password, ...credential }) {
    if (method === "password") return by.password(username, password)
    return ["name", "emailCode", "smsCode"].includes(method) ? by[method](username) : by[method](credential)
}

const value = value => ({ status: "value", value })
const done = () => ({ status: "done" })

function refusal(error) {
    if (error instanceof SessionEndedError) return { status: "ended", reason: error.reason }
    if (!(error instanceof GatewayError)) throw error
    const { code, status: http, detail, retryAfter } = error
    return { status: "refused", code, http, ...(detail && { detail }), ...(retryAfter && { retry_after: retryAfter }) }
}
