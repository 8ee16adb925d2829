import { GatewayClient, type ClientOptions } from "../client.js"
import { memoryStore } from "../token-store.js"
import type * as Wire from "../wire.js"
import { FakeCall } from "./fake-call.js"
import { FakeFlow } from "./fake-flow.js"
import { FakeTokens } from "./fake-tokens.js"
import { refusal, type Problem } from "./problem.js"
import { reply, type Reply, type SignedInReply } from "./reply.js"

/**
 * A gateway in memory, for the tests of an app.
 *
 * The replies are its script: the next calls of a sign-in get them in this order. Without a reply a call succeeds, and
 * so do nonces, refreshes, sign-outs, changes of the password and the profile. Any other call needs a reply of `on`.
 */
export class FakeGateway {
    /** Every call that reached the gateway, in order. */
    readonly calls: FakeCall[] = []
    /** While true no request arrives. */
    offline = false
    readonly #script: Reply[]
    readonly #replies = new Map<string, Reply[]>()
    readonly #tokens = new FakeTokens()
    readonly #flow = new FakeFlow()
    #now = Date.now()

    constructor(...script: Reply[]) {
        this.#script = script
    }

    /** Adds to the script. */
    next(...replies: Reply[]): void {
        this.#script.push(...replies)
    }

    /** Replies to the next calls of one kind, in order: `POST /v1/password/change`, also of an API of the app. */
    on(call: string, ...replies: Reply[]): void {
        this.#replies.set(call, [...this.#replies.get(call) ?? [], ...replies])
    }

    /** Ends every session, as another device or an operator does: later calls are refused by `session_ended`. */
    endSessions(reason: NonNullable<Problem["reason"]> = "signed_out"): void {
        this.#tokens.endAll(reason)
    }

    /** Moves the clock of the clients of `client`. An access token lives for 600 seconds. */
    advance(seconds: number): void {
        this.#now += seconds * 1000
    }

    /**
     * A client of this gateway, with its tokens in memory.
     *
     * Its clock stands still between calls of `advance`, and its pauses take no time. An app that makes its client
     * itself passes `fetch` of the gateway; that client has the clock of the system.
     */
    client(options: Partial<ClientOptions> = {}): GatewayClient {
        return new GatewayClient({
            url: "https://login.example.com", clientId: "app", store: memoryStore(), fetch: this.fetch,
            now: () => this.#now, pause: async milliseconds => this.advance(milliseconds / 1000), ...options
        })
    }

    /** Answers a request by the script. */
    readonly fetch: typeof fetch = async (input, init) => {
        if (this.offline) throw new TypeError("The fake gateway is offline.")
        const call = await FakeCall.of(new Request(input, init))
        this.calls.push(call)
        this.#flow.begin(call)
        return this.#refused(call) ?? this.#answer(call, this.#nextReply(call))
    }

    #nextReply(call: FakeCall): Reply {
        const own = this.#replies.get(call.name)?.shift()
        return own ?? (call.isOfSignIn ? this.#script.shift() : undefined) ?? reply.success()
    }

    /** The refusal of a call with tokens or with a flow that no longer work. */
    #refused(call: FakeCall): Response | undefined {
        const found = call.accessToken !== undefined ? this.#tokens.refusalOf(call.accessToken, "access_token_invalid")
            : call.name === "POST /v1/token/refresh"
                ? this.#tokens.refusalOf(call.text("refresh_token"), "refresh_token_invalid")
                : this.#flow.refusalOf(call)
        return found && refusal(found)
    }

    #answer(call: FakeCall, given: Reply): Response {
        switch (given.kind) {
            case "success": return this.#success(call)
            case "signedIn": return this.#signedIn(call, given)
            case "step": return json(this.#flow.ask(given.step, given.life))
            case "refused": return refusal(given.problem)
            case "answer": return json(given.body, given.status)
            case "answerLost": this.#success(call)
        }
        throw new TypeError("The fake gateway lost the connection.")
    }

    #success(call: FakeCall): Response {
        switch (call.name) {
            case "POST /v1/nonce": return json(this.#tokens.nonce())
            case "POST /v1/sign-up": return this.#answer(call, reply.confirmSignUp())
            case "POST /v1/password/forgot": return this.#answer(call, reply.resetPassword())
            case "POST /v1/sign-in/resend":
            case "POST /v1/sign-up/resend": return json(this.#flow.askAgain())
            case "POST /v1/token/refresh":
                return json({ session: this.#tokens.refresh(call.text("refresh_token"), call.isProved) })
            case "POST /v1/sign-out":
                this.#tokens.signOut(call.accessToken, call.text("scope") === "global")
                return json(undefined, 204)
            case "POST /v1/password/change": return json(undefined, 204)
            case "GET /v1/account": return json(this.#flow.profile)
        }
        if (call.isOfSignIn) return this.#signedIn(call, {})
        throw new TypeError(`FakeGateway has no answer to ${call.name}: give one by on("${call.name}", …).`)
    }

    #signedIn(call: FakeCall, { user, newAccount, recoveryCodes }: Omit<SignedInReply, "kind">): Response {
        const { account, isNew, provider, isGuest } = this.#flow.end(user)
        const identity = provider === undefined ? undefined : this.#tokens.identity(provider)
        const answer: Wire.SignedIn = {
            status: "signed_in", account, ...(identity && { identity }),
            session: this.#tokens.begin(call.isProved), new_account: newAccount ?? isNew,
            ...(identity === undefined && !isGuest && { device: { token: "device-token-1" } }),
            ...(recoveryCodes && { recovery_codes: recoveryCodes })
        }
        return json(answer)
    }
}

function json(body: unknown, status = 200): Response {
    if (body === undefined) return new Response(null, { status })
    return new Response(JSON.stringify(body), { status, headers: { "content-type": "application/json" } })
}
