import { GatewayError, UnreachableError } from "./errors.js"
import { operations, type Calls } from "./operations.js"
import { authorization, type Prover } from "./prover.js"
import type { AccessToken } from "./tokens.js"
import type * as Wire from "./wire.js"

export type Operation = keyof Calls
/** What one call sends beside its method and path. */
export interface Sending<Name extends Operation> {
    body?: Calls[Name]["request"]
    parameters?: Calls[Name]["parameters"]
    access?: AccessToken
    credentials?: RequestCredentials
}

interface Received {
    status: number
    answer: unknown
    retryAfter: number | undefined
    hasNonce: boolean
    isProved: boolean
}

/** Sends the calls of docs/openapi.yaml. */
export class Transport {
    readonly base: string
    /** Also sends the requests of an app to its own APIs. */
    readonly fetch: typeof fetch
    readonly #timeout: number

    /** @param timeout in milliseconds; a call that hangs would otherwise hold the lock of the refresh. */
    constructor(
        url: string, options: { fetch?: typeof fetch | undefined; timeout?: number | undefined } = {},
        readonly prover?: Prover
    ) {
        this.base = checkedAddress(url)
        const own = options.fetch
        this.fetch = own ?? ((input, init) => globalThis.fetch(input, init))
        this.#timeout = options.timeout ?? 30_000
    }

    /** The answer of a call; throws a `GatewayError` or an `UnreachableError`. */
    async call<Name extends Operation>(name: Name, sending: Sending<Name> = {}): Promise<Calls[Name]["answer"]> {
        const first = await this.#exchange(name, sending)
        const { status, answer, retryAfter } = asksForNonce(first) ? await this.#exchange(name, sending) : first
        if (status >= 200 && status < 300) return answer as Calls[Name]["answer"]
        throw refusal(status, answer, retryAfter)
    }

    async #exchange<Name extends Operation>(name: Name, sending: Sending<Name>): Promise<Received> {
        const { method, path, form } = operations[name]
        const address = this.base + pathWith(path, sending.parameters)
        const headers = await this.#authorization(name, address, sending)
        const init: RequestInit = { method, headers, credentials: sending.credentials ?? "omit", cache: "no-store" }
        if (sending.body !== undefined) {
            headers["content-type"] = form ? "application/x-www-form-urlencoded" : "application/json"
            init.body = form ? formOf(sending.body) : JSON.stringify(sending.body)
        }
        return { ...await this.#send(address, init), isProved: headers["dpop"] !== undefined }
    }

    /** The token of a call; without one, the proof of the key that a session of its answer is bound to. */
    async #authorization<Name extends Operation>(
        name: Name, address: string, { access }: Sending<Name>
    ): Promise<Record<string, string>> {
        const { method } = operations[name]
        if (access !== undefined) return await authorization(this.prover, access, method, address)
        if (this.prover === undefined || !Object.hasOwn(beginnings, name)) return {}
        return { dpop: await this.prover.proof(method, address) }
    }

    async #send(address: string, init: RequestInit): Promise<Omit<Received, "isProved">> {
        const controller = new AbortController()
        const timer = setTimeout(() => controller.abort(), this.#timeout)
        try {
            const answer = await this.fetch(address, { ...init, signal: controller.signal, redirect: "error" })
            const seconds = Number(answer.headers.get("retry-after") ?? NaN)
            const nonce = answer.headers.get("dpop-nonce")
            this.prover?.remember(address, nonce)
            return {
                status: answer.status, answer: parsed(await answer.text()), hasNonce: nonce !== null,
                retryAfter: seconds > 0 ? seconds : undefined
            }
        } catch (cause) {
            throw new UnreachableError(cause, refusedOrigin(cause, address))
        } finally {
            clearTimeout(timer)
        }
    }
}

/** The calls whose answer may have a session. */
type Beginning = {
    [Name in Operation]: [Extract<Calls[Name]["answer"], WithSession>] extends [never] ? never : Name
}[Operation]
type WithSession = Wire.SignedIn | Wire.Refreshed | Wire.GrantedTokens

const beginnings: Record<Beginning, true> = {
    signIn: true, continueSignIn: true, resetPassword: true, beginSignUp: true, confirmSignUp: true, token: true,
    refreshSession: true, stepUp: true
}

/** Whether a server refuses a proof only for its nonce, and names another one (RFC 9449 section 8). */
function asksForNonce({ status, answer, hasNonce, isProved }: Received): boolean {
    if (!isProved || !hasNonce || ![400, 401].includes(status)) return false
    return (answer as { code?: unknown } | null | undefined)?.code === "use_dpop_nonce"
}

/** The page's origin, where a call failed as it fails when the gateway refuses the origin; else undefined. */
function refusedOrigin(cause: unknown, address: string): string | undefined {
    const origin = globalThis.location?.origin
    const isForeign = origin !== undefined && origin !== "null" && origin !== new URL(address).origin
    return cause instanceof TypeError && isForeign && navigator.onLine ? origin : undefined
}

/** Tokens travel to this address, so it is https, or this machine during development. */
function checkedAddress(text: string): string {
    const url = new URL(text)
    const isLocal = /^(localhost|127\.0\.0\.1|\[::1\])$|\.localhost$/.test(url.hostname)
    if (url.protocol !== "https:" && !(url.protocol === "http:" && isLocal)) {
        throw new TypeError("The gateway's address must begin with https://.")
    }
    return text.replace(/\/+$/, "")
}

function pathWith(path: string, parameters: Record<string, string | number | undefined> | undefined): string {
    const rest = new URLSearchParams()
    let result = path
    for (const [name, value] of Object.entries(parameters ?? {})) {
        if (value === undefined) continue
        const place = `{${name}}`
        if (result.includes(place)) result = result.replace(place, encodeURIComponent(value))
        else rest.set(name, String(value))
    }
    return rest.toString() === "" ? result : `${result}?${rest}`
}

function formOf(body: object): URLSearchParams {
    const isText = (entry: [string, unknown]): entry is [string, string] => typeof entry[1] === "string"
    return new URLSearchParams(Object.entries(body).filter(isText))
}

/** Undefined if an answer has no body, or none of the gateway. */
function parsed(text: string): unknown {
    try {
        return JSON.parse(text)
    } catch {
        return undefined
    }
}

function refusal(status: number, answer: unknown, retryAfter: number | undefined): GatewayError {
    const body: Partial<Wire.Problem & Wire.OAuthError> = typeof answer === "object" && answer !== null ? answer : {}
    if (body.code === undefined) {
        return new GatewayError({ code: "unexpected_answer", status, title: `Unexpected answer ${status}`, retryAfter })
    }
    return new GatewayError({
        code: body.code, status, title: body.title ?? body.error_description ?? body.code, detail: body.detail,
        requestId: body.request_id, retryAfter: body.retry_after ?? retryAfter, items: body.errors,
        mergeTicket: body.merge_ticket, endReason: body.reason,
        ...(body.widget !== undefined && body.site_key !== undefined && {
            botCheck: { widget: body.widget, siteKey: body.site_key }
        })
    })
}
