import type * as Wire from "../wire.js"
import { problem, type Problem } from "./problem.js"

/** The user who signs in. */
export interface FakeUser {
    /** The account's id. */
    id?: string
    /** The proved address; null for an account without one. */
    email?: string | null
    displayName?: string | null
    /** Whether the account has no credential yet. */
    guest?: boolean
}

type FactorType = Wire.Choice["type"]
export type WireStep = Wire.NextStep["next_step"]

/** The end of a sign-in. */
export interface SignedInReply {
    readonly kind: "signedIn"
    readonly user?: FakeUser
    readonly newAccount?: boolean
    readonly recoveryCodes?: string[]
}

/** What a `FakeGateway` does with one call: make one with `reply`. */
export type Reply =
    | { readonly kind: "success" | "noConnection" | "answerLost" }
    | SignedInReply
    | { readonly kind: "step", readonly step: WireStep, readonly life: number }
    | { readonly kind: "refused", readonly problem: Problem }
    | { readonly kind: "answer", readonly body: unknown, readonly status: number }

const email = "a•••@e•••.com"

const step = (step: WireStep, life = 600): Reply => ({ kind: "step", step, life })
const sent = (medium: "email" | "sms", destination: string): Pick<Wire.CodeStep, "delivery" | "resend_after"> =>
    ({ delivery: { medium, destination, code_length: 6 }, resend_after: 30 })

/** Factors whose id is their type. */
const factors = (types: readonly FactorType[]): Wire.Choices => types.map(type => ({ id: type, type }))

const refused = (
    code: Wire.Code, status: number, more: Partial<Omit<Problem, "code" | "status">> = {}
): Reply => ({ kind: "refused", problem: problem(code, status, more) })

/** The replies of a `FakeGateway`. */
export const reply = {
    /** The call succeeds, as it does without a script. */
    success: (): Reply => ({ kind: "success" }),

    /** The user is signed in: by default the one whom the app named, and a new one for guests and sign-ups. */
    signedIn: (user?: FakeUser, more: { newAccount?: boolean, recoveryCodes?: string[] } = {}): Reply =>
        ({ kind: "signedIn", ...(user && { user }), ...more }),

    chooseFirstFactor: (types: readonly FactorType[] = ["password", "email_otp", "passkey"]): Reply =>
        step({ type: "continue_sign_in_with_first_factor_selection", factors: factors(types) }),
    password: (otherFactors: readonly FactorType[] = ["email_otp", "passkey"]): Reply =>
        step({ type: "confirm_sign_in_with_password", factors: factors(otherFactors) }),
    emailCode: (destination = email): Reply =>
        step({ type: "confirm_sign_in_with_otp", ...sent("email", destination) }),
    /** As a second factor. */
    smsCode: (destination = "+49•••••12", otherFactors: readonly FactorType[] = ["recovery_code"]): Reply => step({
        type: "confirm_sign_in_with_sms_mfa_code", ...sent("sms", destination), factors: factors(otherFactors)
    }),
    totpCode: (otherFactors: readonly FactorType[] = ["recovery_code"]): Reply =>
        step({ type: "confirm_sign_in_with_totp_code", factors: factors(otherFactors) }),
    confirmSignUp: (): Reply => step({ type: "confirm_sign_up", ...sent("email", email) }, 86_400),
    resetPassword: (): Reply => step({ type: "reset_password", ...sent("email", email) }),
    linkAccount: (destination = email): Reply => step({ type: "link_account", email: destination }),
    /** Any other step, in the words of docs/openapi.yaml. */
    step: (next: WireStep): Reply => step(next),

    invalidCredentials: (): Reply => refused("invalid_credentials", 401, { title: "Name or password is wrong" }),
    wrongCode: (triesLeft = 4): Reply => refused("code_wrong", 400, {
        title: "The code is wrong", detail: triesLeft === 1 ? "1 try is left." : `${triesLeft} tries are left.`
    }),
    throttled: (retryAfter = 60): Reply => refused("throttled", 429, { title: "Slow down", retry_after: retryAfter }),
    resendTooSoon: (retryAfter = 30): Reply =>
        refused("resend_too_soon", 429, { title: "Too soon", retry_after: retryAfter }),
    /** The session of the call has ended; `endSessions` of the gateway ends it for all calls. */
    sessionEnded: (reason: NonNullable<Problem["reason"]> = "signed_out"): Reply =>
        refused("session_ended", 401, { title: "Sign in again", reason }),
    /** A refusal with any code: docs/errors.md lists cause and status of each. */
    refused,

    /** An answer of your own, for `on` of the gateway. */
    answer: (body?: unknown, status = 200): Reply => ({ kind: "answer", body, status }),
    /** The request does not arrive. */
    noConnection: (): Reply => ({ kind: "noConnection" }),
    /** The gateway does what the call asks, and its answer is lost. */
    answerLost: (): Reply => ({ kind: "answerLost" })
}
