import { GatewayError, RedirectError, UnreachableError } from "../errors.js"
import { filled, type Texts } from "./texts.js"

/** What a user reads about an error. */
export function problemText(error: unknown, texts: Texts): string {
    if (error instanceof UnreachableError) {
        // For the developer: users read no origins.
        if (error.origin !== undefined) console.warn(error.message)
        return texts.problem_unreachable
    }
    if (error instanceof DOMException) return texts.problem_passkey
    if (error instanceof RedirectError) return texts.problem_redirect
    if (!(error instanceof GatewayError)) throw error
    const own = (texts as Record<string, string>)[`problem_${error.code}`]
    return filled(own ?? texts.problem, { title: error.message, detail: error.detail, seconds: error.retryAfter })
}

/** Whether a new start is the only way on. */
export function isFinal(error: unknown): boolean {
    const codes: readonly string[] = ["flow_expired", "too_many_tries", "no_second_factor_left", "account_disabled"]
    return error instanceof GatewayError && codes.includes(error.code)
}
