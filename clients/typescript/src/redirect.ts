import { codeChallenge, randomText } from "./encoding.js"
import { RedirectError } from "./errors.js"
import type { TokenStore } from "./token-store.js"

/** A sign-in on the hosted pages, which docs/web.md describes. */
export interface RedirectOptions {
    /** One of the app's registered addresses, byte for byte. */
    redirectUri: string
    /** Goes directly to this provider. */
    provider?: string
    /** The page to begin at; default `login`. */
    page?: "login" | "sign-up" | "forgot"
    /** `login` asks for a new proof even if the browser has a session. */
    prompt?: "login"
    /** Languages of the pages, such as `de`. */
    uiLocales?: string
}

/** What a browser keeps between the start of a redirect and its return. */
interface Transaction {
    verifier: string
    redirectUri: string
}

/** The code of a checked return, with the values that redeem it. */
export interface Return extends Transaction {
    code: string
}

/** Begins redirects and checks their returns (RFC 7636, RFC 9207). */
export class Redirects {
    constructor(
        private readonly base: string, private readonly issuer: string, private readonly clientId: string,
        private readonly store: TokenStore
    ) {}

    /** The address to open. Its verifier stays in the store, under the state of the redirect. */
    async begin(options: RedirectOptions, start?: string): Promise<URL> {
        const [state, verifier] = [randomText(), randomText()]
        const kept: Transaction = { verifier, redirectUri: options.redirectUri }
        await this.store.set(this.#key(state), JSON.stringify(kept))
        const url = this.#address(options, start)
        url.searchParams.set("response_type", "code")
        url.searchParams.set("state", state)
        url.searchParams.set("code_challenge", await codeChallenge(verifier))
        url.searchParams.set("code_challenge_method", "S256")
        return url
    }

    /** The address for a website that uses the cookie of the gateway: no code comes back. */
    cookieAddress(options: RedirectOptions): URL {
        return this.#address(options)
    }

    /**
     * Checks an address that the browser returned to. Undefined if it is no return at all.
     *
     * The state is spent by the first look, and the issuer is compared, for errors too.
     */
    async finish(address: URL): Promise<Return | undefined> {
        const answer = address.searchParams
        const [state, code, error] = [answer.get("state"), answer.get("code"), answer.get("error")]
        if (code === null && error === null) return undefined
        const kept = await this.#spend(state)
        if (kept === undefined) throw new RedirectError("state_unknown", "This browser did not begin the sign-in.")
        if (answer.get("iss") !== this.issuer) throw new RedirectError("issuer_wrong", "Another server answered.")
        if (error !== null) throw new RedirectError(error, answer.get("error_description") ?? "The sign-in failed.")
        if (code === null || code === "") throw new RedirectError("code_missing", "The answer has no code.")
        return { ...kept, code }
    }

    #address(options: RedirectOptions, start?: string): URL {
        const { provider, page = "login" } = options
        const path = provider === undefined ? page : `login/${encodeURIComponent(provider)}`
        const url = this.#own(start ?? `${this.base}/${path}`)
        url.searchParams.set("client_id", this.clientId)
        url.searchParams.set("redirect_uri", options.redirectUri)
        if (options.prompt !== undefined) url.searchParams.set("prompt", options.prompt)
        if (options.uiLocales !== undefined) url.searchParams.set("ui_locales", options.uiLocales)
        return url
    }

    /** A step can only lead to a page of the gateway. */
    #own(address: string): URL {
        const url = new URL(address)
        if (![this.base, this.issuer].some(own => new URL(own).origin === url.origin)) {
            throw new RedirectError("issuer_wrong", "The address is not one of the gateway.")
        }
        return url
    }

    async #spend(state: string | null): Promise<Transaction | undefined> {
        if (state === null) return undefined
        const text = await this.store.get(this.#key(state))
        await this.store.remove(this.#key(state))
        return text === null ? undefined : JSON.parse(text) as Transaction
    }

    #key(state: string): string {
        return `login-gateway redirect ${state}`
    }
}

/** The parameters of a return, which do not belong into the browser's history. */
export function withoutAnswer(address: URL): URL {
    const url = new URL(address)
    for (const name of ["code", "state", "iss", "error", "error_description"]) url.searchParams.delete(name)
    return url
}
