// Made by scripts/make-wire.mjs from docs/openapi.yaml: change that document, not this file.

import type * as Wire from "./wire.js"

/** Method, path and credentials of each call. */
export const operations = {
    issueNonce: { method: "POST", path: "/v1/nonce", bearer: "none", form: false },
    signIn: { method: "POST", path: "/v1/sign-in", bearer: "optional", form: false },
    continueSignIn: { method: "POST", path: "/v1/sign-in/continue", bearer: "none", form: false },
    resendSignInCode: { method: "POST", path: "/v1/sign-in/resend", bearer: "none", form: false },
    forgotPassword: { method: "POST", path: "/v1/password/forgot", bearer: "none", form: false },
    resetPassword: { method: "POST", path: "/v1/password/reset", bearer: "none", form: false },
    changePassword: { method: "POST", path: "/v1/password/change", bearer: "required", form: false },
    beginSignUp: { method: "POST", path: "/v1/sign-up", bearer: "none", form: false },
    confirmSignUp: { method: "POST", path: "/v1/sign-up/confirm", bearer: "none", form: false },
    resendSignUpCode: { method: "POST", path: "/v1/sign-up/resend", bearer: "none", form: false },
    token: { method: "POST", path: "/v1/token", bearer: "none", form: true },
    refreshSession: { method: "POST", path: "/v1/token/refresh", bearer: "none", form: false },
    signOut: { method: "POST", path: "/v1/sign-out", bearer: "required", form: false },
    currentSession: { method: "GET", path: "/v1/session", bearer: "optional", form: false },
    stepUp: { method: "POST", path: "/v1/session/step-up", bearer: "required", form: false },
    account: { method: "GET", path: "/v1/account", bearer: "required", form: false },
    changeAccount: { method: "PATCH", path: "/v1/account", bearer: "required", form: false },
    deleteAccount: { method: "DELETE", path: "/v1/account", bearer: "required", form: false },
    cancelDeletion: { method: "DELETE", path: "/v1/account/deletion", bearer: "required", form: false },
    exportAccount: { method: "GET", path: "/v1/account/export", bearer: "required", form: false },
    accountEvents: { method: "GET", path: "/v1/account/events", bearer: "required", form: false },
    identities: { method: "GET", path: "/v1/account/identities", bearer: "required", form: false },
    linkIdentity: { method: "POST", path: "/v1/account/identities", bearer: "required", form: false },
    merges: { method: "GET", path: "/v1/account/merges", bearer: "required", form: false },
    mergeOwnAccounts: { method: "POST", path: "/v1/account/merges", bearer: "required", form: false },
    mergeTicket: { method: "POST", path: "/v1/account/merges/ticket", bearer: "required", form: false },
    previewOwnMerge: { method: "POST", path: "/v1/account/merges/preview", bearer: "required", form: false },
    undoOwnMerge: { method: "POST", path: "/v1/account/merges/{id}/undo", bearer: "required", form: false },
    unlinkIdentity: { method: "DELETE", path: "/v1/account/identities/{id}", bearer: "required", form: false },
    factors: { method: "GET", path: "/v1/account/factors", bearer: "required", form: false },
    addFactor: { method: "POST", path: "/v1/account/factors", bearer: "required", form: false },
    confirmFactor: { method: "POST", path: "/v1/account/factors/confirm", bearer: "required", form: false },
    changeFactor: { method: "PATCH", path: "/v1/account/factors/{id}", bearer: "required", form: false },
    removeFactor: { method: "DELETE", path: "/v1/account/factors/{id}", bearer: "required", form: false },
    addresses: { method: "GET", path: "/v1/account/addresses", bearer: "required", form: false },
    addAddress: { method: "POST", path: "/v1/account/addresses", bearer: "required", form: false },
    confirmAddress: { method: "POST", path: "/v1/account/addresses/confirm", bearer: "required", form: false },
    preferAddress: { method: "PATCH", path: "/v1/account/addresses/{address}", bearer: "required", form: false },
    removeAddress: { method: "DELETE", path: "/v1/account/addresses/{address}", bearer: "required", form: false },
    rememberedDevices: { method: "GET", path: "/v1/account/devices", bearer: "required", form: false },
    keepFactors: { method: "DELETE", path: "/v1/account/factor-removal", bearer: "required", form: false },
    forgetDevice: { method: "DELETE", path: "/v1/account/devices/{id}", bearer: "required", form: false },
    sessions: { method: "GET", path: "/v1/account/sessions", bearer: "required", form: false },
    endSession: { method: "DELETE", path: "/v1/account/sessions/{id}", bearer: "required", form: false },
    grants: { method: "GET", path: "/v1/account/grants", bearer: "required", form: false },
    revokeGrant: { method: "DELETE", path: "/v1/account/grants/{client}", bearer: "required", form: false },
} as const

/** What each call sends, and what it answers. */
export interface Calls {
    /** A nonce to hand to a provider. */
    issueNonce: {
        parameters: undefined
        request: undefined
        answer: Wire.Nonce
    }
    /** Sign in with any credential. */
    signIn: {
        parameters: undefined
        request: Wire.SignInRequest
        answer: Wire.SignedIn | Wire.NextStep
    }
    /** Answer the next step. */
    continueSignIn: {
        parameters: undefined
        request: Wire.ContinueSignInRequest
        answer: Wire.SignedIn | Wire.NextStep
    }
    /** Send the code of the step again. */
    resendSignInCode: {
        parameters: undefined
        request: Wire.FlowRequest
        answer: Wire.NextStep
    }
    /** Ask for a code to set another password. */
    forgotPassword: {
        parameters: undefined
        request: Wire.ForgotRequest
        answer: Wire.NextStep
    }
    /** Set another password with the code. */
    resetPassword: {
        parameters: undefined
        request: Wire.ContinueRequest
        answer: Wire.SignedIn | Wire.NextStep
    }
    /** Another password while signed in. */
    changePassword: {
        parameters: undefined
        request: Wire.PasswordChangeRequest
        answer: undefined
    }
    /** Ask for an account. */
    beginSignUp: {
        parameters: undefined
        request: Wire.SignUpRequest
        answer: Wire.SignedIn | Wire.NextStep
    }
    /** Post the code back. */
    confirmSignUp: {
        parameters: undefined
        request: Wire.ContinueRequest
        answer: Wire.SignedIn | Wire.NextStep
    }
    /** Another mail with another code. */
    resendSignUpCode: {
        parameters: undefined
        request: Wire.FlowRequest
        answer: Wire.NextStep
    }
    /** A hand-over code, a refresh token, or a device code, for a session (RFC 6749, RFC 8628). */
    token: {
        parameters: undefined
        request: Wire.GrantForm
        answer: Wire.GrantedTokens
    }
    /** A new access token and a new refresh token. */
    refreshSession: {
        parameters: undefined
        request: Wire.RefreshRequest
        answer: Wire.Refreshed
    }
    /** End this session, or all of the account. */
    signOut: {
        parameters: undefined
        request: Wire.SignOutRequest
        answer: undefined
    }
    /** Who is behind the access token, or the session cookie of a browser. */
    currentSession: {
        parameters: undefined
        request: undefined
        answer: Wire.CurrentSession
    }
    /** Prove more for this session. */
    stepUp: {
        parameters: undefined
        request: Wire.StepUpRequest
        answer: Wire.SignedIn | Wire.NextStep
    }
    /** The account. */
    account: {
        parameters: undefined
        request: undefined
        answer: Wire.Profile
    }
    /** Change the profile. */
    changeAccount: {
        parameters: undefined
        request: Wire.AccountChange
        answer: Wire.Profile
    }
    /** Delete the account. */
    deleteAccount: {
        parameters: undefined
        request: undefined
        answer: Wire.DeletionAnswer | undefined
    }
    /** Keep the account after all. */
    cancelDeletion: {
        parameters: undefined
        request: undefined
        answer: undefined
    }
    /** Everything that is held about the person. */
    exportAccount: {
        parameters: undefined
        request: undefined
        answer: Wire.Export
    }
    /** Account activity, newest first. */
    accountEvents: {
        parameters: { limit?: number; cursor?: string }
        request: undefined
        answer: Wire.Events
    }
    /** The linked identities, oldest first. */
    identities: {
        parameters: undefined
        request: undefined
        answer: Wire.Identities
    }
    /** Link another identity. */
    linkIdentity: {
        parameters: undefined
        request: Wire.LinkRequest
        answer: Wire.Linked
    }
    /** Merges that can still be taken back. */
    merges: {
        parameters: undefined
        request: undefined
        answer: Wire.OwnMerges
    }
    /** Join another account with this one. */
    mergeOwnAccounts: {
        parameters: undefined
        request: Wire.MergeRequest
        answer: Wire.OwnMergeDone
    }
    /** Prove another account by a session of it. */
    mergeTicket: {
        parameters: undefined
        request: Wire.MergeTicketRequest
        answer: Wire.MergeTicket
    }
    /** Preview of a merge. */
    previewOwnMerge: {
        parameters: undefined
        request: Wire.MergePreviewRequest
        answer: Wire.OwnMergePreview
    }
    /** Take a merge back. */
    undoOwnMerge: {
        parameters: { id: string }
        request: undefined
        answer: undefined
    }
    /** Unlink an identity. */
    unlinkIdentity: {
        parameters: { id: string }
        request: undefined
        answer: undefined
    }
    /** The factors of the account. */
    factors: {
        parameters: undefined
        request: undefined
        answer: Wire.Factors
    }
    /** Begin to add a factor, or replace the recovery codes. */
    addFactor: {
        parameters: undefined
        request: Wire.FactorRequest
        answer: Wire.NextStep | Wire.RecoveryCodes
    }
    /** Prove the factor that is being added. */
    confirmFactor: {
        parameters: undefined
        request: Wire.FactorConfirmRequest
        answer: Wire.FactorAdded
    }
    /** Name a factor, or have it asked first. */
    changeFactor: {
        parameters: { id: string }
        request: Wire.FactorChange
        answer: Wire.Factors
    }
    /** Take a factor away. */
    removeFactor: {
        parameters: { id: string }
        request: undefined
        answer: undefined
    }
    /** The addresses and numbers of the account. */
    addresses: {
        parameters: undefined
        request: undefined
        answer: Wire.Addresses
    }
    /** Begin to add an address or a number. */
    addAddress: {
        parameters: undefined
        request: Wire.AddressRequest
        answer: Wire.NextStep
    }
    /** Prove the address that is being added. */
    confirmAddress: {
        parameters: undefined
        request: Wire.AddressConfirmRequest
        answer: Wire.AddressAdded
    }
    /** Make it the main address of the account. */
    preferAddress: {
        parameters: { address: string }
        request: Wire.AddressChange
        answer: Wire.Addresses
    }
    /** Take an address or number away. */
    removeAddress: {
        parameters: { address: string }
        request: undefined
        answer: undefined
    }
    /** Devices that are not asked for the second factor. */
    rememberedDevices: {
        parameters: undefined
        request: undefined
        answer: Wire.Devices
    }
    /** Keep the factors that an operator asked to remove. */
    keepFactors: {
        parameters: undefined
        request: undefined
        answer: undefined
    }
    /** Ask on a device again. */
    forgetDevice: {
        parameters: { id: string }
        request: undefined
        answer: undefined
    }
    /** The open sessions, last used first. */
    sessions: {
        parameters: undefined
        request: undefined
        answer: Wire.Sessions
    }
    /** End one session of the account. */
    endSession: {
        parameters: { id: string }
        request: undefined
        answer: undefined
    }
    /** Other makers' apps with access to the account, newest first. */
    grants: {
        parameters: undefined
        request: undefined
        answer: Wire.Grants
    }
    /** Take the access of an app back. */
    revokeGrant: {
        parameters: { client: string }
        request: undefined
        answer: undefined
    }
}
