import { challengesOf } from "./challenges.js"

/** What a back end wants of the user before it answers (RFC 9470 section 3). */
export interface StepUpDemand {
    /** The accepted values of `acr`, the preferred one first; empty if the back end names none. */
    readonly acrValues: readonly string[]
    /** The seconds that may have passed since the user's proof. */
    readonly maxAge?: number
}

/**
 * Reads the demand of a `WWW-Authenticate` header, as `answer.headers.get("www-authenticate")` has it (RFC 9470).
 *
 * Undefined if the header has none, or can't be read.
 */
export function stepUpDemand(header: string | null | undefined): StepUpDemand | undefined {
    const wanted = challengesOf(header ?? "")?.find(({ scheme, parameters }) =>
        ["bearer", "dpop"].includes(scheme) && parameters.get("error") === "insufficient_user_authentication")
    if (wanted === undefined) return undefined
    const acrValues = (wanted.parameters.get("acr_values") ?? "").split(" ").filter(value => value !== "")
    const age = wanted.parameters.get("max_age")
    if (age === undefined) return { acrValues }
    const maxAge = /^[0-9]+$/.test(age) ? Number(age) : NaN
    return Number.isSafeInteger(maxAge) ? { acrValues, maxAge } : undefined
}
