import { by, type SignInMethod } from "./methods.js"
import { usePasskey, type PasskeyCredential } from "./passkeys.js"
import type { RedirectOptions } from "./redirect.js"
import type { SignInResult } from "./results.js"
import type { Session } from "./session.js"
import type { SessionKeeper } from "./session-keeper.js"
import { stepOf, type Step, type StepActions } from "./steps.js"
import type { TokenShelf } from "./tokens.js"
import type { Transport } from "./transport.js"
import type * as Wire from "./wire.js"

/** What the courses need of their client. */
export interface CourseSettings {
    readonly clientId: string
    readonly deviceName: string | undefined
    readonly now: () => number
    readonly session: (id: string) => Session
    readonly open: (url: string, options: RedirectOptions) => Promise<void>
}

/** Every way from a credential to a session: sign-ins, sign-ups, resets, redeemed codes. */
export class Courses {
    readonly #actions: StepActions

    constructor(
        private readonly transport: Transport, private readonly keeper: SessionKeeper,
        private readonly shelf: TokenShelf, private readonly settings: CourseSettings
    ) {
        this.#actions = {
            answer: async (flow, response, botCheck) => await this.#continue(flow, response, botCheck),
            resend: async (flow, botCheck) => {
                const body = { flow, ...checked(botCheck) }
                return await this.outcome(await this.transport.call("resendSignInCode", { body }))
            },
            signIn: async (method, linkFlow) => await this.signIn(method, { linkFlow }),
            open: async (url, options) => await this.settings.open(url, options)
        }
    }

    async signIn(
        method: SignInMethod, { linkFlow, botCheck }: { linkFlow?: string; botCheck?: string | undefined } = {}
    ): Promise<SignInResult> {
        const body = {
            provider: method.provider, client_id: this.settings.clientId, credential: method.credential,
            ...(linkFlow !== undefined && { link_flow: linkFlow }), ...checked(botCheck), ...await this.#withDevice()
        }
        return await this.outcome(await this.transport.call("signIn", { body }))
    }

    async signUp(form: Omit<Wire.SignUpRequest, "client_id" | "device">): Promise<SignInResult> {
        const body = { client_id: this.settings.clientId, ...form, ...await this.#withDevice() }
        return await this.outcome(await this.transport.call("beginSignUp", { body }))
    }

    async confirmSignUp(flow: string, code: string): Promise<SignInResult> {
        const body = { flow, response: { code }, ...await this.#withDevice() }
        return await this.outcome(await this.transport.call("confirmSignUp", { body }))
    }

    async resendSignUpCode(flow: string, botCheck?: string): Promise<SignInResult> {
        const body = { flow, ...checked(botCheck) }
        return await this.outcome(await this.transport.call("resendSignUpCode", { body }))
    }

    async forgotPassword(username: string, botCheck?: string): Promise<SignInResult> {
        const body = { client_id: this.settings.clientId, username, ...checked(botCheck), ...await this.#withDevice() }
        return await this.outcome(await this.transport.call("forgotPassword", { body }))
    }

    async resetPassword(flow: string, code: string, newPassword: string): Promise<SignInResult> {
        const body = { flow, response: { code, new_password: newPassword }, ...await this.#withDevice() }
        return await this.outcome(await this.transport.call("resetPassword", { body }))
    }

    async redeem(code: string, verifier: string, redirectUri: string): Promise<Session> {
        const granted = await this.transport.call("token", {
            body: {
                grant_type: "authorization_code", client_id: this.settings.clientId, code, code_verifier: verifier,
                redirect_uri: redirectUri
            }
        })
        const { token_type, refresh_token, refresh_expires_in, session_id } = granted
        // Only an app with the setting "refresh_tokens: offline_access" gets none; its sessions can't be kept.
        if (token_type === "N_A" || refresh_token === undefined || refresh_expires_in === undefined
            || session_id === undefined) {
            throw new TypeError("The answer has no refresh token: set refresh_tokens of the app to always.")
        }
        await this.keeper.start({ ...granted, token_type, refresh_token, refresh_expires_in, id: session_id })
        return this.settings.session(session_id)
    }

    /** With `suggested`, begins again before the options of the gateway expire. */
    async passkey(suggested: boolean, signal: AbortSignal | undefined): Promise<SignInResult> {
        for (;;) {
            const begun = await this.signIn(by.passkey())
            if (begun.status !== "next" || begun.step.type !== "confirm_sign_in_with_passkey") return begun
            const credential = await this.#chosen(begun.step, suggested, signal)
            if (credential !== undefined) return await begun.step.answer({ credential })
        }
    }

    /** The user's passkey; undefined if the step was about to expire. */
    async #chosen(
        step: Extract<Step, { type: "confirm_sign_in_with_passkey" }>, suggested: boolean,
        signal: AbortSignal | undefined
    ): Promise<PasskeyCredential | undefined> {
        const controller = new AbortController()
        const stop = (): void => controller.abort(signal?.reason)
        if (signal?.aborted) stop()
        signal?.addEventListener("abort", stop)
        // Never a tight loop, not even with a wrong clock.
        const life = Math.max(step.expiresAt.getTime() - this.settings.now() - 30_000, 60_000)
        const timer = suggested ? setTimeout(stop, life) : undefined
        try {
            return await usePasskey(step.passkey, { suggested, signal: controller.signal })
        } catch (error) {
            if (suggested && controller.signal.aborted && !signal?.aborted) return undefined
            throw error
        } finally {
            clearTimeout(timer)
            signal?.removeEventListener("abort", stop)
        }
    }

    async #continue(flow: string, response: Wire.StepResponse, botCheck?: string): Promise<SignInResult> {
        const body = { flow, response, ...checked(botCheck), ...await this.#withDevice() }
        return await this.outcome(await this.transport.call("continueSignIn", { body }))
    }

    /** The result of an answer; keeps the tokens of a session, and the token of this device. */
    readonly outcome = async (answer: Wire.SignedIn | Wire.NextStep): Promise<SignInResult> => {
        const codes = answer.recovery_codes && { recoveryCodes: answer.recovery_codes }
        if (answer.status === "next_step") {
            return { status: "next", step: stepOf(answer, this.settings.now(), this.#actions), ...codes }
        }
        if (answer.device !== undefined) await this.shelf.keepDeviceToken(answer.device.token)
        await this.keeper.start(answer.session)
        return {
            status: "signedIn", session: this.settings.session(answer.session.id), account: answer.account,
            newAccount: answer.new_account, ...(answer.identity && { identity: answer.identity }), ...codes
        }
    }

    /** The name and the token of this device, as far as they are known. */
    readonly device = async (): Promise<Wire.Device | undefined> => {
        const token = await this.shelf.deviceToken()
        const { deviceName: name } = this.settings
        if (token === undefined && name === undefined) return undefined
        return { ...(name !== undefined && { name }), ...(token !== undefined && { token }) }
    }

    async #withDevice(): Promise<{ device?: Wire.Device }> {
        const device = await this.device()
        return device === undefined ? {} : { device }
    }
}

/** The answer of a bot check, as a member of a request. */
const checked = (botCheck: string | undefined): { bot_check?: string } =>
    botCheck === undefined ? {} : { bot_check: botCheck }
