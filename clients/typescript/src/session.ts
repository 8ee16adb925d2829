import { Account } from "./account.js"
import { GatewayError } from "./errors.js"
import type { SignInResult } from "./results.js"
import { isEnd } from "./refresh.js"
import type { SessionKeeper } from "./session-keeper.js"
import type { Operation, Sending, Transport } from "./transport.js"
import type { Calls } from "./operations.js"
import type * as Wire from "./wire.js"

/** What a session needs of its client. */
export interface SessionSurroundings {
    readonly transport: Transport
    readonly keeper: SessionKeeper
    /** Origins, beside the gateway's, that get the access token. */
    readonly apis: readonly string[]
    readonly device: () => Promise<Wire.Device | undefined>
    readonly outcome: (answer: Wire.SignedIn | Wire.NextStep) => Promise<SignInResult>
}

/** A session of a signed-in user: refreshes itself, and sends authorised requests. */
export class Session {
    /** The same through all refreshes: `sid` in access tokens. */
    readonly id: string
    /** The user's own account: profile, factors, devices, sessions, merges, deletion. */
    readonly account: Account
    readonly #surroundings: SessionSurroundings

    constructor(id: string, surroundings: SessionSurroundings) {
        this.id = id
        this.#surroundings = surroundings
        this.account = new Account(this)
    }

    /** A valid access token; refreshes first if it is about to expire. Throws a `SessionEndedError` at the end. */
    async accessToken(): Promise<string> {
        return await this.#surroundings.keeper.accessToken(this.id)
    }

    /**
     * `fetch` with the access token, for the gateway and for the origins in `apis`; refuses any other address.
     *
     * If the API answers 401 with `invalid_token`, the token is refreshed and the request sent once more.
     */
    async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
        const request = new Request(input, init)
        this.#checkOrigin(request.url)
        const again = request.clone()
        const token = await this.accessToken()
        request.headers.set("authorization", `Bearer ${token}`)
        const answer = await fetch(request)
        if (answer.status !== 401 || !answer.headers.get("www-authenticate")?.includes("invalid_token")) return answer
        again.headers.set("authorization", `Bearer ${await this.#surroundings.keeper.accessToken(this.id, token)}`)
        return await fetch(again)
    }

    /** The session as the gateway knows it: how the user signed in, and when it ends. */
    async current(): Promise<Wire.CurrentSession> {
        return await this.call("currentSession")
    }

    /** Asks for a second factor again; comes to a new session, which replaces this one. */
    async stepUp(): Promise<SignInResult> {
        const device = await this.#surroundings.device()
        const answer = await this.call("stepUp", { body: device === undefined ? {} : { device } })
        return await this.#surroundings.outcome(answer)
    }

    /** Signs out here; with `everywhere` on all devices. The tokens of this device are forgotten even offline. */
    async signOut(options: { everywhere?: boolean } = {}): Promise<void> {
        try {
            await this.call("signOut", { body: { scope: options.everywhere ? "global" : "local" } })
        } catch (error) {
            if (!(error instanceof Error && error.name === "SessionEndedError")) throw error
        } finally {
            await this.#surroundings.keeper.forget(this.id)
        }
    }

    /** Sends a call with the access token; refreshes once if the gateway says that the token is over. */
    async call<Name extends Operation>(name: Name, sending: Sending<Name> = {}): Promise<Calls[Name]["answer"]> {
        const { transport, keeper } = this.#surroundings
        const bearer = await this.accessToken()
        try {
            return await transport.call(name, { ...sending, bearer })
        } catch (error) {
            if (isEnd(error) && error.status === 401) await keeper.end(this.id, error.endReason ?? error.code)
            if (!isStale(error)) throw error
            return await transport.call(name, { ...sending, bearer: await keeper.accessToken(this.id, bearer) })
        }
    }

    /** Keeps the tokens of the session that replaces a guest's, if the answer has one; this session is over then. */
    async replace(tokens: Wire.Tokens | undefined): Promise<void> {
        if (tokens !== undefined) await this.#surroundings.keeper.start(tokens)
    }

    /** The gateway has deleted the account or ended this session. */
    async forget(): Promise<void> {
        await this.#surroundings.keeper.forget(this.id)
    }

    /** Only the id: a log of a session shows no token. */
    toJSON(): { id: string } {
        return { id: this.id }
    }

    #checkOrigin(address: string): void {
        const { origin } = new URL(address)
        const allowed = [new URL(this.#surroundings.transport.base).origin, ...this.#surroundings.apis]
        if (!allowed.includes(origin)) {
            throw new TypeError(`${origin} gets no access token: list it in the option apis of the client.`)
        }
    }
}

const isStale = (error: unknown): boolean =>
    error instanceof GatewayError && ["access_token_expired", "access_token_invalid"].includes(error.code)
