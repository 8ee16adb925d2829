import type { TokenStore } from "./token-store.js"
import type * as Wire from "./wire.js"

/**
 * The tokens of a session.
 *
 * `expires_at` is of this device's clock, in milliseconds. The end of the session is not kept: a wrong clock would sign
 * the user out, so only the gateway decides.
 */
export interface StoredTokens {
    id: string
    access_token: string
    expires_at: number
    refresh_token: string
    /** The thumbprint of the key that the tokens are bound to; absent for bearer tokens. */
    proof_key?: string
}

/** An access token, and whether it is bound to a key: then it is sent with a proof (RFC 9449 section 7.1). */
export interface AccessToken {
    readonly value: string
    readonly isBound: boolean
}

/** The access token among stored tokens. */
export function accessTokenOf(tokens: StoredTokens): AccessToken {
    return { value: tokens.access_token, isBound: tokens.proof_key !== undefined }
}

/** Whether the tokens of an answer are bound to a key (RFC 9449 section 5). */
export function areBound(answer: { token_type?: string }): boolean {
    return answer.token_type?.toLowerCase() === "dpop"
}

/** The tokens of an answer, with the time of their end in place of a lifetime. */
export function storedTokens(answer: Wire.Tokens, now: number, proofKey?: string): StoredTokens {
    return {
        id: answer.id, access_token: answer.access_token, refresh_token: answer.refresh_token,
        expires_at: now + answer.expires_in * 1000, ...(proofKey !== undefined && { proof_key: proofKey })
    }
}

/** What a client keeps in its store: the tokens of the session, and the token of this device. */
export class TokenShelf {
    readonly #store: TokenStore
    readonly #prefix: string

    constructor(store: TokenStore, issuer: string, clientId: string) {
        this.#store = store
        this.#prefix = `login-gateway ${issuer} ${clientId}`
    }

    /** Names the lock and the channel of all that see these tokens; undefined if no other page sees them. */
    get sharedName(): string | undefined {
        return this.#store.sharedAs === undefined ? undefined : `${this.#prefix} ${this.#store.sharedAs}`
    }

    async tokens(): Promise<StoredTokens | undefined> {
        const text = await this.#store.get(this.#key("session"))
        if (text === null) return undefined
        try {
            const value: unknown = JSON.parse(text)
            return isStoredTokens(value) ? value : undefined
        } catch {
            return undefined
        }
    }

    async keep(tokens: StoredTokens): Promise<void> {
        await this.#store.set(this.#key("session"), JSON.stringify(tokens))
    }

    async forget(): Promise<void> {
        await this.#store.remove(this.#key("session"))
    }

    /** Calls `changed` after each change of the tokens by another page, if the store notices it; until `signal`. */
    watch(changed: () => void, signal: AbortSignal): void {
        this.#store.watch?.(this.#key("session"), changed, signal)
    }

    async deviceToken(): Promise<string | undefined> {
        return await this.#store.get(this.#key("device")) ?? undefined
    }

    async keepDeviceToken(token: string): Promise<void> {
        await this.#store.set(this.#key("device"), token)
    }

    #key(name: string): string {
        return `${this.#prefix} ${name}`
    }
}

function isStoredTokens(value: unknown): value is StoredTokens {
    if (typeof value !== "object" || value === null) return false
    const tokens = value as Record<keyof StoredTokens, unknown>
    return typeof tokens.id === "string" && typeof tokens.access_token === "string"
        && typeof tokens.refresh_token === "string" && typeof tokens.expires_at === "number"
        && ["string", "undefined"].includes(typeof tokens.proof_key)
}
