import { GatewayClient } from "../client.js"
import type { SignInResult } from "../results.js"
import type { Session } from "../session.js"
import type { StateEvent } from "../states.js"
import type { Step } from "../steps.js"
import { drawn, setBusy, showProblem } from "./drawing.js"
import { languageOf, languages } from "./languages.js"
import { isFinal, problemText } from "./problem-text.js"
import { startView } from "./start-views.js"
import { stepView } from "./step-views.js"
import { addStyle } from "./style.js"
import { english, type Texts } from "./texts.js"
import { isView, type Typed, type View } from "./view.js"

/** The event `signed-in` of the element. */
export class SignedInEvent extends Event {
    readonly session: Session

    constructor(session: Session) {
        super("signed-in", { bubbles: true })
        this.session = session
    }
}

// In Node there is no HTMLElement: the module can be imported there, and defines nothing.
const Base = (globalThis as { HTMLElement?: typeof HTMLElement }).HTMLElement ?? (class {} as typeof HTMLElement)

/**
 * `<gateway-sign-in>`: the whole sign-in, every step included.
 *
 * Attributes: `url`, `client-id`, `methods` (`password email sms passkey`), `providers`, `redirect-uri`, `sign-up`,
 * `lang`.
 * Event: `signed-in`. It is drawn without a shadow root, so that password managers find its fields.
 */
export class GatewaySignIn extends Base {
    #client: GatewayClient | undefined
    /** In place of the texts of the language. */
    #ownTexts: Partial<Texts> = {}
    /** What the user typed into the view that was sent last. */
    #typed: Typed = {}
    #form: HTMLFormElement | undefined
    #suggesting: AbortController | undefined
    /** Settles when the request for suggestions is over. */
    #suggested: Promise<void> = Promise.resolve()
    #timer: ReturnType<typeof setTimeout> | undefined
    /** The id of the session that the element has come to. */
    #finished: string | undefined

    /** The client; made from `url` and `client-id` unless it is set. */
    get client(): GatewayClient {
        this.#client ??= new GatewayClient({ url: this.#text("url"), clientId: this.#text("client-id") })
        return this.#client
    }

    set client(client: GatewayClient) {
        this.#client = client
    }

    /** Texts in place of those of the language. */
    set texts(texts: Partial<Texts>) {
        this.#ownTexts = texts
        if (this.isConnected) this.#start()
    }

    /** That of the nearest `lang` attribute, or else of the browser. */
    get #language(): string {
        return languageOf(this.closest("[lang]")?.getAttribute("lang") ?? navigator.language)
    }

    get #texts(): Texts {
        return { ...languages[this.#language] ?? english, ...this.#ownTexts }
    }

    connectedCallback(): void {
        addStyle()
        this.client.addEventListener("state", this.#follow)
        void this.#run(async () => {
            // Without an address to return to, a code in the page's address is of another sign-in.
            const back = this.hasAttribute("redirect-uri") ? await this.client.completeRedirect() : undefined
            const session = back ?? await this.client.session()
            if (session === undefined) return this.#start()
            this.#finish(session)
        })
    }

    disconnectedCallback(): void {
        this.client.removeEventListener("state", this.#follow)
        this.#stop()
    }

    /** Begins again after a sign-out; ends if the user has signed in in another tab. */
    readonly #follow = (event: Event): void => {
        const { state } = event as StateEvent
        const isIdle = this.#form?.dataset["view"] === "start" && this.#form.getAttribute("aria-busy") !== "true"
        if (state.status === "signedIn" && isIdle) this.#finish(state.session)
        else if (state.status !== "signedIn" && this.#finished !== undefined) this.#start()
    }

    #start(): void {
        this.#finished = undefined
        this.#typed = {}
        this.#show(startView({
            client: this.client, texts: this.#texts, language: this.#language, methods: this.#methods, providers: words(this.#text("providers")),
            redirectUri: this.#text("redirect-uri"), signsUp: this.hasAttribute("sign-up")
        }))
        this.#suggested = this.#suggest()
    }

    get #methods(): string[] {
        return words(this.getAttribute("methods") ?? "password passkey")
    }

    /** Passkeys among what the browser suggests for the name. */
    async #suggest(): Promise<void> {
        if (!this.#methods.includes("passkey")) return
        const controller = this.#suggesting = new AbortController()
        try {
            const result = await this.client.signInWithPasskey({ autofill: true, signal: controller.signal })
            if (result !== undefined && !controller.signal.aborted) this.#take(result)
        } catch (error) {
            if (!controller.signal.aborted && !(error instanceof DOMException)) this.#report(error)
        }
    }

    #show(view: View, more: { startAgain?: boolean } = {}): void {
        this.#stop()
        const send = view.send?.bind(view)
        const form = this.#form = drawn(view, this.#texts, {
            send: typed => void this.#run(async () => {
                this.#typed = { ...this.#typed, ...typed }
                this.#take(await send?.(typed))
            }),
            act: (action, typed) => void this.#run(async () => this.#take(await action.run(typed))),
            ...((more.startAgain ?? view.name !== "start") && { startAgain: () => this.#start() })
        })
        this.replaceChildren(form)
        if (view.name !== "start") form.querySelector("input")?.focus()
        if (view.sendsAfter !== undefined) {
            this.#timer = setTimeout(() => form.requestSubmit(), view.sendsAfter * 1000)
        }
    }

    #take(result: SignInResult | View | undefined): void {
        if (result === undefined) return
        if (isView(result)) return this.#show(result)
        if (result.recoveryCodes !== undefined) return this.#showCodes(result, result.recoveryCodes)
        this.#go(result)
    }

    #go(result: SignInResult): void {
        if (result.status === "signedIn") return this.#finish(result.session)
        const redirect = async (step: Step): Promise<undefined> => await this.#redirect(step)
        this.#show(stepView(result.step, { texts: this.#texts, typed: this.#typed, redirect }))
    }

    /** Recovery codes are shown once: the sign-in goes on when the user has saved them. */
    #showCodes(result: SignInResult, list: readonly string[]): void {
        const { recoveryCodes, saveCodes, saved } = this.#texts
        const send = async (): Promise<undefined> => {
            this.#go(result)
            return undefined
        }
        const view: View = { name: "recovery-codes", title: recoveryCodes, text: saveCodes, fields: [], actions: [] }
        this.#show({ ...view, list, submit: saved, send }, { startAgain: false })
    }

    #finish(session: Session): void {
        if (this.#finished === session.id) return
        this.#finished = session.id
        this.#form = undefined
        this.#stop()
        this.replaceChildren()
        this.dispatchEvent(new SignedInEvent(session))
    }

    async #redirect(step: Step): Promise<undefined> {
        const options = { redirectUri: this.#text("redirect-uri") }
        if (step.type === "continue_in_browser") await step.open(options)
        else await this.client.redirect(options)
        return undefined
    }

    async #run(work: () => Promise<void>): Promise<void> {
        const form = this.#form
        // Browsers allow one request for a passkey at a time.
        this.#suggesting?.abort()
        if (form) { showProblem(form, null); setBusy(form, true) }
        try {
            await this.#suggested
            await work()
        } catch (error) {
            this.#report(error)
        } finally {
            if (form) setBusy(form, false)
        }
    }

    #report(error: unknown): void {
        if (this.#form === undefined || isFinal(error)) this.#start()
        else if (this.#form.dataset["view"] === "start" && this.#suggesting?.signal.aborted) {
            this.#suggested = this.#suggest()
        }
        if (this.#form) showProblem(this.#form, problemText(error, this.#texts))
    }

    #stop(): void {
        this.#suggesting?.abort()
        clearTimeout(this.#timer)
    }

    #text(attribute: string): string {
        return this.getAttribute(attribute) ?? ""
    }
}

const words = (text: string): string[] => text.split(/\s+/).filter(Boolean)
