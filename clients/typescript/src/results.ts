import type { Session } from "./session.js"
import type { Step } from "./steps.js"
import type * as Wire from "./wire.js"

/** The user is signed in. */
export interface SignedIn {
    readonly status: "signedIn"
    readonly session: Session
    readonly account: Wire.Account
    /** The identity at a provider; absent after a password or a code. */
    readonly identity?: Wire.IdentityName
    readonly newAccount: boolean
    /** Present once, after the first second factor was set up: let the user save them. */
    readonly recoveryCodes?: readonly string[]
}

/** The sign-in needs something more. */
export interface NextStep {
    readonly status: "next"
    readonly step: Step
    readonly recoveryCodes?: readonly string[]
}

/** What each call of a sign-in comes to. */
export type SignInResult = SignedIn | NextStep
