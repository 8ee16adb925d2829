import { Account } from "./account.js"
import { GatewayError } from "./errors.js"
import type { SignInResult } from "./results.js"
import { isEnd } from "./refresh.js"
import { authorization } from "./prover.js"
import type { SessionKeeper } from "./session-keeper.js"
import type { AccessToken } from "./tokens.js"
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

    /**
     * A valid access token; refreshes first if it is about to expire. Throws a `SessionEndedError` at the end.
     *
     * With `proofOfPossession` a request needs a proof beside it: send it with `fetch` of the session.
     */
    async accessToken(): Promise<string> {
        return (await this.#surroundings.keeper.accessToken(this.id)).value
    }

    /**
     * `fetch` with the access token, for the gateway and for the origins in `apis`; refuses any other address.
     *
     * If the API answers 401 with `invalid_token`, the token is refreshed and the request sent once more.
     */
    async fetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
        const request = new Request(input, init)
        this.#checkOrigin(request.url)
        const { keeper } = this.#surroundings
        const access = await keeper.accessToken(this.id)
        const answer = await this.#sent(request.clone(), access)
        if (answer.status !== 401 || !isAbout("invalid_token", answer)) return answer
        return await this.#sent(request, await keeper.accessToken(this.id, access.value))
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
        const access = await keeper.accessToken(this.id)
        try {
            return await transport.call(name, { ...sending, access })
        } catch (error) {
            if (isEnd(error) && error.status === 401) await keeper.end(this.id, error.endReason ?? error.code)
            if (!isStale(error)) throw error
            return await transport.call(name, { ...sending, access: await keeper.accessToken(this.id, access.value) })
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

    /** Sends a request; a second time if the server asks for a nonce in the proof (RFC 9449 section 9). */
    async #sent(request: Request, access: AccessToken): Promise<Response> {
        const again = access.isBound ? request.clone() : undefined
        const answer = await this.#attempt(request, access)
        if (again === undefined || !wantsNonce(answer)) return answer
        return await this.#attempt(again, access)
    }

    async #attempt(request: Request, access: AccessToken): Promise<Response> {
        const { prover, fetch } = this.#surroundings.transport
        const headers = await authorization(prover, access, request.method, request.url)
        for (const [name, value] of Object.entries(headers)) request.headers.set(name, value)
        const answer = await fetch(request)
        prover?.remember(request.url, answer.headers.get("dpop-nonce"))
        return answer
    }

    #checkOrigin(address: string): void {
        const { origin } = new URL(address)
        const allowed = [new URL(this.#surroundings.transport.base).origin, ...this.#surroundings.apis]
        if (!allowed.includes(origin)) {
            throw new TypeError(`${origin} gets no access token: list it in the option apis of the client.`)
        }
    }
}

/** Whether the challenge of an answer has this error. */
const isAbout = (error: string, answer: Response): boolean =>
    answer.headers.get("www-authenticate")?.includes(error) ?? false

/** Whether a server refuses a proof only for its nonce, and names another one. */
const wantsNonce = (answer: Response): boolean =>
    [400, 401].includes(answer.status) && answer.headers.has("dpop-nonce") && isAbout("use_dpop_nonce", answer)

const isStale = (error: unknown): boolean =>
    error instanceof GatewayError && ["access_token_expired", "access_token_invalid"].includes(error.code)
