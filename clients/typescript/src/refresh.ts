import { GatewayError, UnreachableError } from "./errors.js"
import type { Transport } from "./transport.js"
import type * as Wire from "./wire.js"

/** Milliseconds before each further try: together less than the grace period of ten seconds. */
const pauses = [500, 1500, 3000]

/** The refusals after which a session can't be refreshed any more. */
const ends: readonly string[] = [
    "session_ended", "refresh_token_invalid", "refresh_token_expired", "refresh_token_reused", "account_disabled"
]

/** Whether an error means the end of the session. No network error does, and no error of the server (5xx). */
export function isEnd(error: unknown): error is GatewayError & { code: Wire.Code } {
    return error instanceof GatewayError && (error.status === 401 || error.status === 403) && ends.includes(error.code)
}

/**
 * Exchanges a refresh token for new tokens.
 *
 * If the answer is lost, the same token is sent again: the gateway answers a repeat with the same successor.
 */
export async function refreshed(
    transport: Transport, refreshToken: string, pause: (milliseconds: number) => Promise<void>
): Promise<Wire.Tokens> {
    for (let count = 0; ; count++) {
        try {
            return (await transport.call("refreshSession", { body: { refresh_token: refreshToken } })).session
        } catch (error) {
            const wait = pauses[count]
            if (wait === undefined || !isPassing(error)) throw error
            await pause(Math.max(wait, retryAfter(error)))
        }
    }
}

const retryAfter = (error: unknown): number => (error instanceof GatewayError ? (error.retryAfter ?? 0) * 1000 : 0)

/** Whether another try may succeed soon. */
function isPassing(error: unknown): boolean {
    if (error instanceof UnreachableError) return true
    return error instanceof GatewayError && error.status >= 500 && retryAfter(error) <= 5000
}

/** Resolves after a time. */
export function sleep(milliseconds: number): Promise<void> {
    return new Promise(resolve => setTimeout(resolve, milliseconds))
}
