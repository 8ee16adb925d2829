import type * as Wire from "./wire.js"

/** What a refusal contains, as far as the server's answer has it. */
export interface Refusal {
    code: Wire.Code | "unexpected_answer"
    status: number
    title: string
    detail?: string | undefined
    requestId?: string | undefined
    /** Seconds. */
    retryAfter?: number | undefined
    items?: Wire.ProblemItem[] | undefined
    mergeTicket?: string | undefined
    endReason?: Wire.Problem["reason"] | undefined
    botCheck?: BotCheck | undefined
}

/** The widget of a bot check: the service, and the site key. */
export interface BotCheck {
    widget: NonNullable<Wire.Problem["widget"]>
    siteKey: string
}

/** A refusal of the gateway: branch on `code`, which docs/errors.md lists. */
export class GatewayError extends Error {
    override readonly name = "GatewayError"
    /** The stable name; `unexpected_answer` if the answer is not one of the gateway, such as a proxy's. */
    readonly code: Refusal["code"]
    /** The status of the HTTP answer. */
    readonly status: number
    /** About this occurrence, such as how many tries are left. */
    readonly detail: string | undefined
    /** Give it to the operator: it names the log lines. */
    readonly requestId: string | undefined
    /** Seconds until it makes sense to try again. */
    readonly retryAfter: number | undefined
    /** The members of the request that were refused. */
    readonly items: readonly Wire.ProblemItem[]
    /** With `session_ended`: the reason, if the gateway still knows it. */
    readonly endReason: Wire.Problem["reason"] | undefined
    /** With `bot_check_required` and `bot_check_failed`: show it, and repeat the call with its answer. */
    readonly botCheck: BotCheck | undefined
    // Private, so that no log of the error shows it.
    readonly #mergeTicket: string | undefined

    constructor(refusal: Refusal) {
        // Another refusal's items repeat its title.
        const item = refusal.code === "invalid_request" ? refusal.items?.[0] : undefined
        const detail = refusal.detail ?? (item && `${item.pointer} ${item.detail}`)
        super(detail ? `${refusal.title}: ${detail}` : refusal.title)
        this.code = refusal.code
        this.status = refusal.status
        this.detail = refusal.detail
        this.requestId = refusal.requestId
        this.retryAfter = refusal.retryAfter
        this.items = refusal.items ?? []
        this.endReason = refusal.endReason
        this.botCheck = refusal.botCheck
        this.#mergeTicket = refusal.mergeTicket
    }

    /** With `identity_in_use`: the ticket for a merge of the two accounts. */
    get mergeTicket(): string | undefined {
        return this.#mergeTicket
    }
}

/** The gateway could not be reached, or did not answer in time. Nothing is known about the outcome. */
export class UnreachableError extends Error {
    override readonly name = "UnreachableError"
    /** The page's origin, if the gateway may refuse it: a browser reports that refusal (CORS) like an outage. */
    readonly origin: string | undefined

    constructor(cause?: unknown, origin?: string) {
        const remedy = `Register it: gateway clients change APP --add-origin ${origin}, or use the console.`
        const doubt = origin === undefined ? "." : `, or ${origin} is not among the app's origins. ${remedy}`
        super(`The sign-in service can't be reached${doubt}`, { cause })
        this.origin = origin
    }
}

/**
 * Why a session is over: the gateway's reason for the end, else its code.
 *
 * On this device: `signed_out`, `replaced` by another sign-in, or `proof_key_lost`: the key of `proofOfPossession` is
 * gone, and the tokens are worth nothing without it.
 */
export type EndReason = NonNullable<Wire.Problem["reason"]> | Wire.Code | "unexpected_answer" | "proof_key_lost"

/** The session is over: the user has to sign in again. */
export class SessionEndedError extends Error {
    override readonly name = "SessionEndedError"
    readonly reason: EndReason

    constructor(reason: EndReason) {
        super("The session has ended.")
        this.reason = reason
    }
}

/** A redirect did not come from the sign-in that this browser began, or reports an error. */
export class RedirectError extends Error {
    override readonly name = "RedirectError"
    /** `state_unknown`, `issuer_wrong` and `code_missing` are of this library, the others of RFC 6749. */
    readonly code: string

    constructor(code: string, message: string) {
        super(message)
        this.code = code
    }
}
