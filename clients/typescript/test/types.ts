// What the types allow and what they refuse: compiled by test/types.test.mjs, never run.
import { by, GatewayClient, type SignInResult, type Step } from "../dist/index.js"

declare const client: GatewayClient
declare const step: Step

export async function everyStepHasItsOwnAnswer(): Promise<SignInResult | undefined> {
    switch (step.type) {
        case "confirm_sign_in_with_totp_code":
            // @ts-expect-error A password is no code.
            await step.answer({ password: "a" })
            // @ts-expect-error No code was sent.
            await step.resend()
            return await step.answer({ code: "123456", remember_device: true })
        case "confirm_sign_in_with_otp":
            await step.resend()
            return await step.answer({ factor: step.factors?.[0]?.id ?? "" })
        case "reset_password":
            // @ts-expect-error The new password is missing.
            await step.answer({ code: "123456" })
            return await step.answer({ code: "123456", new_password: step.delivery?.destination ?? "" })
        case "link_account":
            await step.signIn(by.password(step.email, "a"))
            // @ts-expect-error To accept is a sign-in.
            await step.answer({ create_account: false })
            return await step.answer({ create_account: true })
        case "continue_in_browser":
            await step.open({ redirectUri: step.url })
            // @ts-expect-error The flow has ended.
            return await step.answer({ code: "1" })
        case "unknown":
            // @ts-expect-error This library does not know what the step takes.
            return await step.answer({ code: "1" })
        default:
            return undefined
    }
}

export async function credentials(): Promise<void> {
    await client.signIn(by.apple({ id_token: "a", nonce: "b", name: { given: "Ann" } }))
    // @ts-expect-error Amazon's credential is no password.
    await client.signIn(by.amazon({ username: "a", password: "b" }))
    // @ts-expect-error The client adds its own id.
    await client.signUp({ username: "a", client_id: "other" })
}

export function results(result: SignInResult): string {
    // @ts-expect-error Only a signed-in result has a session.
    result.session
    return result.status === "signedIn" ? result.session.id : result.step.flow
}
