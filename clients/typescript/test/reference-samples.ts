// The samples of the API reference, compiled by test/types.test.mjs and never run: the body of a function shows the
// call of its name, the `operationId` of docs/openapi.yaml. A call without a function is shown with fetch.
import { by, GatewayClient, type AddressSetUp, type FactorSetUp, type Session, type Step } from "../dist/index.js"

declare const client: GatewayClient
declare const session: Session
declare const other: Session
declare const step: Step
declare const factorSetUp: FactorSetUp
declare const addressSetUp: AddressSetUp
declare const id: string
declare const idToken: string
declare const ticket: string
declare const digest: string

// MARK: Signing in

export async function issueNonce(): Promise<void> {
    const nonce = await client.nonce()
    console.log("for the provider's SDK:", nonce)
}

export async function signIn(): Promise<void> {
    const result = await client.signIn(by.password("ann@example.com", "correct horse battery"))
    if (result.status === "signedIn") console.log("signed in:", result.account.id)
    else console.log("next:", result.step.type)
}

export async function continueSignIn(): Promise<void> {
    if (step.type === "confirm_sign_in_with_totp_code") {
        const result = await step.answer({ code: "197734", remember_device: true })
        console.log(result.status)
    }
}

export async function resendSignInCode(): Promise<void> {
    if (step.type === "confirm_sign_in_with_otp") await step.resend()
}

export async function forgotPassword(): Promise<void> {
    const result = await client.forgotPassword("ann@example.com")
    if (result.status === "next") console.log("next:", result.step.type)
}

export async function resetPassword(): Promise<void> {
    if (step.type === "reset_password") {
        const result = await step.answer({ code: "197734", new_password: "grey heron over the weir" })
        console.log(result.status)
    }
}

export async function beginSignUp(): Promise<void> {
    const result = await client.signUp({
        username: "ann@example.com", password: "correct horse battery", display_name: "Ann Example"
    })
    if (result.status === "next") console.log("next:", result.step.type)
}

export async function confirmSignUp(): Promise<void> {
    if (step.type === "confirm_sign_up") {
        const result = await step.answer({ code: "197734" })
        console.log(result.status)
    }
}

export async function resendSignUpCode(): Promise<void> {
    if (step.type === "confirm_sign_up") await step.resend()
}

// MARK: Sessions

export async function token(): Promise<void> {
    const session = await client.completeRedirect() ?? await client.session()
    if (session === undefined) await client.redirect({ redirectUri: "https://www.example.com/back" })
    else console.log("signed in:", session.id)
}

export async function refreshSession(): Promise<void> {
    // Refreshes when the token is about to expire.
    const accessToken = await session.accessToken()
    console.log(accessToken)
}

export async function signOut(): Promise<void> {
    await session.signOut({ everywhere: false })
}

export async function currentSession(): Promise<void> {
    const current = await session.current()
    console.log(current.account.id, current.session.auth_time)
}

export async function stepUp(): Promise<void> {
    const result = await session.stepUp()
    if (result.status === "next") console.log("next:", result.step.type)
}

// MARK: Profile

export async function account(): Promise<void> {
    const profile = await session.account.profile()
    console.log(profile.display_name)
}

export async function changeAccount(): Promise<void> {
    const profile = await session.account.change({ display_name: "Ann Example" })
    console.log(profile.display_name)
}

export async function changePassword(): Promise<void> {
    await session.account.changePassword({ current: "correct horse battery", new: "grey heron over the weir" })
}

// MARK: Export and deletion

export async function exportAccount(): Promise<void> {
    const everything = await session.account.export()
    console.log(everything.account)
}

export async function deleteAccount(): Promise<void> {
    const deletion = await session.account.delete()
    console.log("deleted on:", deletion?.due_at)
}

export async function cancelDeletion(): Promise<void> {
    await session.account.cancelDeletion()
}

// MARK: Identities and addresses

export async function identities(): Promise<void> {
    for (const identity of await session.account.identities()) console.log(identity.provider, identity.email)
}

export async function linkIdentity(): Promise<void> {
    const identity = await session.account.link(by.provider("google", { id_token: idToken }))
    console.log("linked:", identity.id)
}

export async function unlinkIdentity(): Promise<void> {
    await session.account.unlink(id)
}

export async function addresses(): Promise<void> {
    for (const address of await session.account.addresses()) console.log(address.address, address.verified)
}

export async function addAddress(): Promise<void> {
    const setUp = await session.account.addAddress("ann@example.net")
    console.log("next:", setUp.step.type)
}

export async function confirmAddress(): Promise<void> {
    const addresses = await addressSetUp.confirm("197734")
    console.log(addresses.length)
}

export async function preferAddress(): Promise<void> {
    await session.account.makeMain("ann@example.net")
}

export async function removeAddress(): Promise<void> {
    await session.account.removeAddress("ann@example.net")
}

// MARK: Factors

export async function factors(): Promise<void> {
    const { factors, recovery_codes_left } = await session.account.factors()
    console.log(factors.length, "factors,", recovery_codes_left, "recovery codes")
}

export async function addFactor(): Promise<void> {
    const setUp = await session.account.addFactor({ type: "totp" })
    if (setUp.step.type === "continue_sign_in_with_totp_setup") console.log("show as a QR code:", setUp.step.totp.uri)
}

export async function confirmFactor(): Promise<void> {
    const added = await factorSetUp.confirm({ code: "197734", name: "Phone" })
    console.log("save these codes:", added.recovery_codes)
}

export async function changeFactor(): Promise<void> {
    await session.account.changeFactor(id, { name: "Phone", preferred: true })
}

export async function removeFactor(): Promise<void> {
    await session.account.removeFactor(id)
}

export async function keepFactors(): Promise<void> {
    await session.account.keepFactors()
}

// MARK: Devices, sessions and events

export async function rememberedDevices(): Promise<void> {
    for (const device of await session.account.devices()) console.log(device.name, device.expires_at)
}

export async function forgetDevice(): Promise<void> {
    await session.account.forgetDevice(id)
}

export async function sessions(): Promise<void> {
    for (const open of await session.account.sessions()) console.log(open.device_name, open.current)
}

export async function endSession(): Promise<void> {
    await session.account.endSession(id)
}

export async function accountEvents(): Promise<void> {
    const page = await session.account.events({ limit: 50 })
    for (const event of page.events) console.log(event.at, event.type)
}

// MARK: Merging

export async function mergeTicket(): Promise<void> {
    const ticket = await session.account.mergeTicket(other)
    console.log(ticket)
}

export async function previewOwnMerge(): Promise<void> {
    const preview = await session.account.previewMerge(ticket)
    console.log(preview.moves.identities.length, "identities would move")
}

export async function mergeOwnAccounts(): Promise<void> {
    const merge = await session.account.merge(ticket, digest)
    console.log("can be undone until:", merge.undo_until)
}

export async function merges(): Promise<void> {
    for (const merge of await session.account.merges()) console.log(merge.absorbed_account_id, merge.undo_until)
}

export async function undoOwnMerge(): Promise<void> {
    await session.account.undoMerge(id)
}
