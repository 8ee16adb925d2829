import { Courses } from "./courses.js"
import { GatewayError, type EndReason } from "./errors.js"
import type { SignInMethod } from "./methods.js"
import { canSuggestPasskeys } from "./passkeys.js"
import type { ProofKeyStore } from "./proof-keys.js"
import { proverOf } from "./prover.js"
import { Redirects, withoutAnswer, type RedirectOptions } from "./redirect.js"
import { sleep } from "./refresh.js"
import type { SignInResult } from "./results.js"
import { Session } from "./session.js"
import { SessionKeeper } from "./session-keeper.js"
import { StateEvent, statesOf, type SessionState } from "./states.js"
import { memoryStore, standardStore, type TokenStore } from "./token-store.js"
import { TokenShelf } from "./tokens.js"
import { Transport } from "./transport.js"
import type * as Wire from "./wire.js"

/** How an app reaches its gateway. */
export interface ClientOptions {
    /** The gateway's address, such as `https://login.example.com`. */
    url: string
    /** The app's id at the gateway. */
    clientId: string
    /** Where tokens are kept; default: `localStorage` in a browser, memory elsewhere. */
    store?: TokenStore
    /** Origins of your own APIs, which `session.fetch` sends the access token to. */
    apis?: readonly string[]
    /** Shown in the user's list of sessions. */
    deviceName?: string
    /** `PUBLIC_URL` of the gateway, if it differs from `url`. */
    issuer?: string
    /**
     * Binds the tokens to a key that no script can read (DPoP, RFC 9449); default false.
     *
     * The key is in IndexedDB, or in memory where there is none; a `ProofKeyStore` keeps it elsewhere. A client whose
     * `url` is another address than `issuer`, such as a proxy of the app, sends no proofs.
     */
    proofOfPossession?: boolean | ProofKeyStore
    /** For tests: another `fetch`, clock and pause in milliseconds. `@login-gateway/client/testing` has them. */
    fetch?: typeof fetch
    now?: () => number
    pause?: (milliseconds: number) => Promise<void>
    /** Milliseconds after which a call has failed; default 30,000. */
    timeout?: number
}

/** Signs users in and keeps their session. An EventTarget: `state` tells of each change. */
export class GatewayClient extends EventTarget {
    readonly #transport: Transport
    readonly #keeper: SessionKeeper
    readonly #courses: Courses
    readonly #redirects: Redirects
    readonly #apis: readonly string[]
    #state: SessionState | undefined

    constructor(options: ClientOptions) {
        super()
        const { clientId, store = standardStore(), now = Date.now, pause = sleep } = options
        const issuer = (options.issuer ?? options.url).replace(/\/+$/, "")
        const prover = proverOf(options.proofOfPossession ?? false, { url: options.url, issuer, clientId, now })
        this.#transport = new Transport(options.url, options, prover)
        this.#apis = options.apis ?? []
        const shelf = new TokenShelf(store, issuer, clientId)
        this.#keeper = new SessionKeeper(this.#transport, shelf, { now, pause }, {
            changed: id => this.#changed(id), ended: (id, reason) => this.#ended(id, reason)
        })
        this.#courses = new Courses(this.#transport, this.#keeper, shelf, {
            clientId, deviceName: options.deviceName, now, session: id => this.#own(id),
            open: async (url, how) => await this.redirect(how, url)
        })
        this.#redirects = new Redirects(this.#transport.base, issuer, clientId, transactionStore())
    }

    // MARK: The session

    /** The session of this device; undefined if nobody is signed in. */
    async session(): Promise<Session | undefined> {
        const id = await this.#keeper.current()
        this.#changed(id)
        return id === undefined ? undefined : this.#own(id)
    }

    /** The state now and every later one, for `for await`. */
    states(): AsyncGenerator<SessionState, void> {
        return statesOf(this, async () => {
            await this.session()
            return this.#state ?? { status: "signedOut" }
        })
    }

    // MARK: Signing in

    /** Signs in by any method of `by`. `botCheck` is the answer of a bot check's widget. */
    async signIn(method: SignInMethod, botCheck?: string): Promise<SignInResult> {
        return await this.#courses.signIn(method, { botCheck })
    }

    /** A nonce for a provider's SDK; Apple gets `appleNonce(nonce)`. Post it raw in the credential. */
    async nonce(): Promise<string> {
        return (await this.#transport.call("issueNonce")).nonce
    }

    /**
     * Signs in with a passkey of this browser.
     *
     * With `autofill` it waits until the user chooses one in a field with `autocomplete="username webauthn"`; undefined
     * if the browser can't suggest passkeys.
     */
    async signInWithPasskey(options: { autofill?: false; signal?: AbortSignal }): Promise<SignInResult>
    async signInWithPasskey(options?: { autofill?: boolean; signal?: AbortSignal }): Promise<SignInResult | undefined>
    async signInWithPasskey(
        { autofill = false, signal }: { autofill?: boolean; signal?: AbortSignal } = {}
    ): Promise<SignInResult | undefined> {
        if (autofill && !await canSuggestPasskeys()) return undefined
        return await this.#courses.passkey(autofill, signal)
    }

    /** Creates an account; its address or number is confirmed by the next step. */
    async signUp(form: Omit<Wire.SignUpRequest, "client_id" | "device">): Promise<SignInResult> {
        return await this.#courses.signUp(form)
    }

    /** Confirms a sign-up whose step is no longer at hand, such as after the page was loaded again. */
    async confirmSignUp(flow: string, code: string): Promise<SignInResult> {
        return await this.#courses.confirmSignUp(flow, code)
    }

    /** Sends the code of a sign-up again. */
    async resendSignUpCode(flow: string, botCheck?: string): Promise<SignInResult> {
        return await this.#courses.resendSignUpCode(flow, botCheck)
    }

    /** Sends a code that sets a new password: answer the step `reset_password`. */
    async forgotPassword(username: string, botCheck?: string): Promise<SignInResult> {
        return await this.#courses.forgotPassword(username, botCheck)
    }

    /** Sets a new password if the step is no longer at hand. */
    async resetPassword(flow: string, code: string, newPassword: string): Promise<SignInResult> {
        return await this.#courses.resetPassword(flow, code, newPassword)
    }

    // MARK: The hosted pages

    /** Goes to the hosted page (PKCE). Call `completeRedirect` on the page that the user returns to. */
    async redirect(options: RedirectOptions, start?: string): Promise<void> {
        const address = await this.redirectUrl(options, start)
        location.assign(address)
    }

    /** The address of the hosted page, for apps that open it themselves. */
    async redirectUrl(options: RedirectOptions, start?: string): Promise<string> {
        return (await this.#redirects.begin(options, start)).href
    }

    /**
     * Finishes a redirect: call it at the start of each page. Undefined if the page was not returned to.
     *
     * Checks `state` and `iss`, redeems the code, and takes the parameters out of the address bar.
     */
    async completeRedirect(address: string = location.href): Promise<Session | undefined> {
        const url = new URL(address)
        try {
            const back = await this.#redirects.finish(url)
            return back && await this.#courses.redeem(back.code, back.verifier, back.redirectUri)
        } finally {
            if (typeof history !== "undefined" && location.href === url.href) {
                history.replaceState(history.state, "", withoutAnswer(url))
            }
        }
    }

    /** Goes to the hosted page for a website on the gateway's site, which uses the gateway's cookie. */
    cookieRedirect(options: RedirectOptions): void {
        location.assign(this.#redirects.cookieAddress(options).href)
    }

    /** The session of the gateway's cookie; undefined if there is none. Scripts never see a token. */
    async cookieSession(): Promise<Wire.CurrentSession | undefined> {
        try {
            return await this.#transport.call("currentSession", { credentials: "include" })
        } catch (error) {
            if (error instanceof GatewayError && error.status === 401) return undefined
            throw error
        }
    }

    /** Ends the channel to other tabs. */
    close(): void {
        this.#keeper.close()
    }

    // MARK: States

    #own(id: string): Session {
        if (this.#state?.status === "signedIn" && this.#state.session.id === id) return this.#state.session
        const { device, outcome } = this.#courses
        return new Session(id, { transport: this.#transport, keeper: this.#keeper, apis: this.#apis, device, outcome })
    }

    #changed(id: string | undefined): void {
        if (id === undefined) {
            if (this.#maySignOut) this.#set({ status: "signedOut" })
        } else if (this.#state?.status !== "signedIn" || this.#state.session.id !== id) {
            this.#set({ status: "signedIn", session: this.#own(id) })
        }
    }

    /**
     * After an end the reason stays: the app may not have read it yet.
     *
     * The exception is a sign-out in another tab, if a call of this tab learned of it first.
     */
    get #maySignOut(): boolean {
        const state = this.#state
        return state === undefined || state.status === "signedIn" || (state.status === "ended" && state.reason === "signed_out")
    }

    #ended(id: string, reason: EndReason): void {
        if (this.#state?.status === "signedIn" && this.#state.session.id !== id) return
        if (this.#state?.status !== "ended") this.#set({ status: "ended", reason })
    }

    #set(state: SessionState): void {
        this.#state = state
        this.dispatchEvent(new StateEvent(state))
    }
}

/** A redirect leaves the page, so its verifier must outlive the page, in this tab alone. */
function transactionStore(): TokenStore {
    if (typeof sessionStorage === "undefined") return memoryStore()
    return {
        get: key => sessionStorage.getItem(key), set: (key, value) => sessionStorage.setItem(key, value),
        remove: key => sessionStorage.removeItem(key)
    }
}
