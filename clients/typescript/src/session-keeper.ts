import { SessionEndedError, type EndReason } from "./errors.js"
import { isEnd, refreshed } from "./refresh.js"
import { afterOthers, exclusively, Notices } from "./tabs.js"
import {
    accessTokenOf, areBound, storedTokens, type AccessToken, type StoredTokens, type TokenShelf
} from "./tokens.js"
import type { Transport } from "./transport.js"
import type * as Wire from "./wire.js"

/** Milliseconds before its end at which an access token is replaced. */
const margin = 15_000

/** The clock of a client, in milliseconds. */
export interface Time {
    now(): number
    pause(milliseconds: number): Promise<void>
}

/** What a keeper reports to its client. */
export interface SessionChanges {
    /** The store has the tokens of this session, or of none. */
    changed(session: string | undefined): void
    ended(session: string, reason: EndReason): void
}

/**
 * Keeps the tokens of one client: reads, refreshes and forgets them.
 *
 * The store is the only place of the tokens, so that a tab always uses those that another tab has just received.
 */
export class SessionKeeper {
    readonly #lock: string
    readonly #notices: Notices
    readonly #closed = new AbortController()
    readonly #flights = new Map<string, Promise<StoredTokens>>()

    constructor(
        private readonly transport: Transport, private readonly shelf: TokenShelf,
        private readonly time: Time, private readonly changes: SessionChanges
    ) {
        // A store that no other page sees needs no lock that other pages know.
        this.#lock = shelf.sharedName ?? `login-gateway ${Math.random()}`
        this.#notices = new Notices(shelf.sharedName, notice => void this.#receive(notice))
        // A notice can come before the change that it reports.
        shelf.watch(() => void this.#receive({ kind: "changed" }), this.#closed.signal)
    }

    /** The id of the stored session. */
    async current(): Promise<string | undefined> {
        return (await this.shelf.tokens())?.id
    }

    /** Keeps the tokens of a sign-in, in place of all earlier ones. */
    async start(answer: Wire.Tokens): Promise<void> {
        const tokens = await this.#received(answer)
        await exclusively(this.#lock, async () => await this.shelf.keep(tokens))
        this.changes.changed(answer.id)
        this.#notices.send({ kind: "changed" })
    }

    /**
     * A valid access token of a session.
     *
     * @param refused an access token that the gateway has just refused
     */
    async accessToken(session: string, refused?: string): Promise<AccessToken> {
        const tokens = await this.#stored(session)
        await this.#requireKey(tokens)
        if (this.#isFresh(tokens, refused)) return accessTokenOf(tokens)
        const flight = this.#flights.get(session) ?? this.#begin(session, refused)
        return accessTokenOf(await flight)
    }

    #begin(session: string, refused: string | undefined): Promise<StoredTokens> {
        const flight = exclusively(this.#lock, async () => await this.#refresh(session, refused))
            .finally(() => this.#flights.delete(session))
        this.#flights.set(session, flight)
        return flight
    }

    /** Forgets the tokens of a session that the user has ended. */
    async forget(session: string): Promise<void> {
        await this.#forget(session)
        this.changes.changed(undefined)
        this.#notices.send({ kind: "changed" })
    }

    /** Forgets the tokens of a session that was ended elsewhere. */
    async end(session: string, reason: EndReason): Promise<void> {
        await this.#forget(session)
        this.changes.ended(session, reason)
        this.#notices.send({ kind: "ended", session, reason })
    }

    close(): void {
        this.#notices.close()
        this.#closed.abort()
    }

    async #stored(session: string): Promise<StoredTokens> {
        const tokens = await this.shelf.tokens()
        if (tokens?.id === session) return tokens
        this.changes.changed(tokens?.id)
        throw new SessionEndedError(tokens === undefined ? "signed_out" : "replaced")
    }

    /** Tokens of a lost key are worth nothing: the session ends here, for the gateway would refuse each proof. */
    async #requireKey({ id, proof_key }: StoredTokens): Promise<void> {
        if (proof_key === undefined || proof_key === await this.transport.prover?.thumbprint()) return
        await this.end(id, "proof_key_lost")
        throw new SessionEndedError("proof_key_lost")
    }

    /** The tokens of an answer, with the key of its request's proof if they are bound to it. */
    async #received(answer: Wire.Tokens): Promise<StoredTokens> {
        const key = areBound(answer) ? await this.transport.prover?.thumbprint() : undefined
        return storedTokens(answer, this.time.now(), key)
    }

    #isFresh(tokens: StoredTokens, refused: string | undefined): boolean {
        return tokens.access_token !== refused && tokens.expires_at - this.time.now() > margin
    }

    /** Runs alone among all tabs. Another tab may have refreshed before it. */
    async #refresh(session: string, refused: string | undefined): Promise<StoredTokens> {
        const tokens = await this.#stored(session)
        if (this.#isFresh(tokens, refused)) return tokens
        try {
            const next = await this.#received(await refreshed(this.transport, tokens.refresh_token, this.time.pause))
            await this.shelf.keep(next)
            return next
        } catch (error) {
            if (!isEnd(error)) throw error
            await this.shelf.forget()
            const reason = error.endReason ?? error.code
            this.changes.ended(session, reason)
            this.#notices.send({ kind: "ended", session, reason })
            throw new SessionEndedError(reason)
        }
    }

    async #forget(session: string): Promise<void> {
        await exclusively(this.#lock, async () => {
            if ((await this.shelf.tokens())?.id === session) await this.shelf.forget()
        })
    }

    async #receive(notice: Parameters<Notices["send"]>[0]): Promise<void> {
        if (notice.kind === "ended") this.changes.ended(notice.session, notice.reason as EndReason)
        else this.changes.changed(await afterOthers(this.#lock, async () => await this.current()))
    }
}
