import type { SignInMethod } from "./methods.js"
import type { PasskeyCredential } from "./passkeys.js"
import type { RedirectOptions } from "./redirect.js"
import type { SignInResult } from "./results.js"
import type * as Wire from "./wire.js"

type WireStep = Wire.NextStep["next_step"]

/** Asks for another factor, or answers by a recovery code in place of a second factor. */
type Otherwise = { factor: string } | { recovery_code: string; remember_device?: boolean }
/** A code; `remember_device` skips the second factor on this device for 30 days. */
type CodeAnswer = { code: string; name?: string; remember_device?: boolean }

/** What each step takes. docs/sign-in.md describes the steps. */
export interface Answers extends Record<WireStep["type"], Wire.StepResponse> {
    continue_sign_in_with_first_factor_selection: { factor: string }
    confirm_sign_in_with_password:
        { password: string; remember_device?: boolean } | { forgot_password: true } | Otherwise
    confirm_sign_in_with_otp: CodeAnswer | Otherwise
    confirm_sign_in_with_sms_mfa_code: CodeAnswer | Otherwise
    confirm_sign_in_with_totp_code: CodeAnswer | Otherwise
    confirm_sign_in_with_passkey: { credential: PasskeyCredential; remember_device?: boolean } | Otherwise
    confirm_sign_in_with_custom_challenge: { answer: string; remember_device?: boolean } | Otherwise
    continue_sign_in_with_mfa_selection: Otherwise
    continue_sign_in_with_mfa_setup_selection: { factor: string }
    continue_sign_in_with_totp_setup: CodeAnswer
    continue_sign_in_with_email_mfa_setup: { email: string }
    continue_sign_in_with_sms_mfa_setup: { phone: string }
    continue_sign_in_with_passkey_setup: { credential: PasskeyCredential; name?: string }
    continue_sign_up_with_attributes: { attributes: { [name: string]: string } }
    confirm_sign_in_with_new_password: { new_password: string; attributes?: { [name: string]: string } }
    reset_password: { code: string; new_password: string }
    /** After `retry_after` seconds. */
    continue_password_reset: Record<string, never>
    confirm_sign_up: { code: string }
    /** Declines: a separate account without the address. To accept, call `signIn` of the step. */
    link_account: { create_account: true }
    /** The flow has ended: call `open` of the step. */
    continue_in_browser: never
}

type SentStep =
    | "confirm_sign_in_with_otp" | "confirm_sign_in_with_sms_mfa_code" | "confirm_sign_up" | "reset_password"

interface Answerable<Answer> {
    /** Names the flow; keep it to go on after the page was loaded again. */
    readonly flow: string
    readonly expiresAt: Date
    /** Answers the step; comes to the session or to the next step. After a refusal the step stays. */
    answer(answer: Answer, botCheck?: string): Promise<SignInResult>
}

interface Resendable {
    /** Sends another code, after `resend_after` seconds; the previous one ends. */
    resend(botCheck?: string): Promise<SignInResult>
}

interface Linkable {
    /** Signs in to the existing account; the new identity joins it. */
    signIn(method: SignInMethod): Promise<SignInResult>
}

interface Browsable {
    /** Continues at `url`, as `client.redirect` does. */
    open(options: RedirectOptions): Promise<void>
}

/** The members that the server sends with a step. */
type Members<Type> = WireStep extends infer One
    ? One extends { type: string } ? (Type extends One["type"] ? Omit<One, "type"> : never) : never
    : never

type StepOf<Type extends WireStep["type"]> = { readonly type: Type } & Readonly<Members<Type>>
    & Answerable<Answers[Type]>
    & (Type extends SentStep ? Resendable : unknown)
    & (Type extends "link_account" ? Linkable : unknown)
    & (Type extends "continue_in_browser" ? Browsable : unknown)

type KnownStep = { [Type in WireStep["type"]]: StepOf<Type> }[WireStep["type"]]

/** A step of a newer server: continue on the hosted page, by `client.redirect`. */
export type UnknownStep = { readonly type: "unknown"; readonly name: string }
    & Pick<Answerable<never>, "flow" | "expiresAt">

/** A step of a sign-in: switch over `type`, show it, and call `answer`. */
export type Step = KnownStep | UnknownStep

/** What a step can do, as the client provides it. */
export interface StepActions {
    answer(flow: string, response: Wire.StepResponse, botCheck?: string): Promise<SignInResult>
    resend(flow: string, botCheck?: string): Promise<SignInResult>
    signIn(method: SignInMethod, linkFlow: string): Promise<SignInResult>
    open(url: string, options: RedirectOptions): Promise<void>
}

const known: Record<WireStep["type"], true> = {
    continue_sign_in_with_first_factor_selection: true, confirm_sign_in_with_password: true,
    confirm_sign_in_with_otp: true, confirm_sign_in_with_sms_mfa_code: true, confirm_sign_in_with_totp_code: true,
    confirm_sign_in_with_passkey: true, confirm_sign_in_with_custom_challenge: true,
    continue_sign_in_with_mfa_selection: true, continue_sign_in_with_mfa_setup_selection: true,
    continue_sign_in_with_totp_setup: true, continue_sign_in_with_email_mfa_setup: true,
    continue_sign_in_with_sms_mfa_setup: true, continue_sign_in_with_passkey_setup: true,
    continue_sign_up_with_attributes: true, confirm_sign_in_with_new_password: true, reset_password: true,
    continue_password_reset: true, confirm_sign_up: true, link_account: true, continue_in_browser: true
}

/** The step of an answer, with its calls. */
export function stepOf(pending: Wire.NextStep, now: number, actions: StepActions): Step {
    const { flow, next_step: step } = pending
    const expiresAt = new Date(now + pending.expires_in * 1000)
    if (!Object.hasOwn(known, step.type)) return { type: "unknown", name: step.type, flow, expiresAt }
    const answer = (response: Wire.StepResponse, botCheck?: string): Promise<SignInResult> =>
        actions.answer(flow, response, botCheck)
    const more = {
        ...(isSent(step.type) && { resend: (botCheck?: string) => actions.resend(flow, botCheck) }),
        ...(step.type === "link_account" && { signIn: (method: SignInMethod) => actions.signIn(method, flow) }),
        ...(step.type === "continue_in_browser" && {
            open: (options: RedirectOptions) => actions.open(step.url, options)
        })
    }
    return { ...step, flow, expiresAt, answer, ...more } as Step
}

const sent: readonly string[] = [
    "confirm_sign_in_with_otp", "confirm_sign_in_with_sms_mfa_code", "confirm_sign_up", "reset_password"
]
const isSent = (type: WireStep["type"]): type is SentStep => sent.includes(type)
