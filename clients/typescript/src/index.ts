/**
 * Sign-in, sessions and accounts of a login gateway.
 *
 * Begin with `new GatewayClient({ url, clientId })`. Data has the member names of docs/openapi.yaml (`Wire`).
 */
export { Account, type FactorRequest } from "./account.js"
export { GatewayClient, type ClientOptions } from "./client.js"
export { appleNonce } from "./encoding.js"
export {
    GatewayError, RedirectError, SessionEndedError, UnreachableError, type BotCheck, type EndReason
} from "./errors.js"
export { by, type SignInMethod } from "./methods.js"
export { canSuggestPasskeys, canUsePasskeys, createPasskey, usePasskey, type PasskeyCredential } from "./passkeys.js"
export type { ProofKeyStore } from "./proof-keys.js"
export type { RedirectOptions } from "./redirect.js"
export type { NextStep, SignedIn, SignInResult } from "./results.js"
export { Session } from "./session.js"
export { AddressSetUp, FactorSetUp } from "./set-up.js"
export { StateEvent, type SessionState } from "./states.js"
export type { Answers, Step, UnknownStep } from "./steps.js"
export { stepUpDemand, type StepUpDemand } from "./step-up.js"
export { localStore, memoryStore, sessionStore, type TokenStore } from "./token-store.js"
import type * as Wire from "./wire.js"
export type { Wire }
