import type * as Wire from "../wire.js"
import { problem, type Problem } from "./problem.js"

type Reason = NonNullable<Problem["reason"]>

/** The sessions of a fake gateway and their tokens. */
export class FakeTokens {
    /** The account's id has the number 1; those of its identity and its sessions follow. */
    #ids = 1
    #identity: string | undefined
    #access = 0
    #refresh = 0
    #nonces = 0
    /** Session by access token and by refresh token. */
    readonly #owners = new Map<string, string>()
    /** The successor of each refresh token that was used. */
    readonly #successors = new Map<string, string>()
    readonly #ended = new Map<string, Reason>()

    nonce(): Wire.Nonce {
        return { nonce: `nonce-${++this.#nonces}`, expires_in: 600 }
    }

    /** The identity of the account at a provider. */
    identity(provider: string): Wire.IdentityName {
        this.#identity ??= this.#newId()
        return { id: this.#identity, provider, subject: "subject-1" }
    }

    /** The tokens of a new session. */
    begin(isBound: boolean): Wire.Tokens {
        const session = this.#newId()
        return this.#members(session, this.#newRefreshToken(session), isBound)
    }

    /** The next tokens; a used refresh token gets the same successor, as within the grace period. */
    refresh(token = "", isBound = false): Wire.Tokens {
        const session = this.#owners.get(token) ?? ""
        const successor = this.#successors.get(token) ?? this.#newRefreshToken(session)
        this.#successors.set(token, successor)
        return this.#members(session, successor, isBound)
    }

    signOut(accessToken: string | undefined, everywhere: boolean): void {
        const session = this.#owners.get(accessToken ?? "")
        if (everywhere) this.endAll("signed_out")
        else if (session !== undefined) this.#ended.set(session, "signed_out")
    }

    endAll(reason: Reason): void {
        for (const session of this.#owners.values()) if (!this.#ended.has(session)) this.#ended.set(session, reason)
    }

    refusalOf(token: string | undefined, unknown: Wire.Code): Problem | undefined {
        const session = this.#owners.get(token ?? "")
        const title = "Sign in again"
        if (session === undefined) return problem(unknown, 401, { title })
        const reason = this.#ended.get(session)
        return reason && problem("session_ended", 401, { title, reason })
    }

    #newId(): string {
        return `00000000-0000-7000-8000-${String(++this.#ids).padStart(12, "0")}`
    }

    #newRefreshToken(session: string): string {
        const token = `refresh-token-${++this.#refresh}`
        this.#owners.set(token, session)
        return token
    }

    #members(session: string, refreshToken: string, isBound: boolean): Wire.Tokens {
        const accessToken = `access-token-${++this.#access}`
        this.#owners.set(accessToken, session)
        return {
            id: session, token_type: isBound ? "DPoP" : "Bearer", access_token: accessToken, expires_in: 600,
            refresh_token: refreshToken, refresh_expires_in: 2_592_000
        }
    }
}
