// The conversations of Tests/Transcripts, and their calls in the words of this library.
import { readdirSync, readFileSync } from "node:fs"
import assert from "node:assert/strict"
import { by, GatewayError, SessionEndedError } from "../dist/index.js"
import { client, clock } from "./gateway.mjs"

const folder = new URL("../../../Tests/Transcripts/", import.meta.url)

/** The names of all transcripts. */
export const names = readdirSync(folder).filter(name => name.endsWith(".json")).map(name => name.slice(0, -5))

/** Makes the calls of a transcript over `line`, which expects exchanges and has `fetch`. */
export async function replay(name, line) {
    const transcript = JSON.parse(readFileSync(new URL(`${name}.json`, folder), "utf8"))
    const now = clock()
    const calls = new Calls(client(line, { clientId: transcript.client_id, now, pause: async () => undefined }), now)
    for (const { call, with: words, exchanges, result } of transcript.calls) {
        line.exchanges = [...exchanges]
        assert.deepEqual(await calls.make(call, words), result, call)
        assert.equal(line.exchanges.length, 0, `${call} made too few requests`)
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
