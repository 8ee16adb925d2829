import type * as Wire from "../wire.js"

export type Problem = Omit<Wire.Problem, "type" | "request_id">

export function problem(
    code: Wire.Code, status: number, more: Partial<Omit<Problem, "code" | "status">> = {}
): Problem {
    return { title: "Refused", ...more, code, status }
}

/** The answer with a problem document. */
export function refusal(problem: Problem): Response {
    const { code, status, retry_after } = problem
    const headers: Record<string, string> = { "content-type": "application/problem+json" }
    if (retry_after !== undefined) headers["retry-after"] = String(retry_after)
    if (tokenCodes.includes(code)) {
        headers["www-authenticate"] = 'Bearer realm="login-gateway", error="invalid_token"'
    }
    const body = { type: `https://login.example.com/errors/${code}`, request_id: "request-1", ...problem }
    return new Response(JSON.stringify(body), { status, headers })
}

const tokenCodes: readonly Wire.Code[] = ["session_ended", "access_token_invalid", "refresh_token_invalid"]
