// Made by scripts/make-wire.mjs from docs/openapi.yaml: change that document, not this file.

/** Any JSON value. */
export type JSONValue = null | boolean | number | string | JSONValue[] | { [member: string]: JSONValue }

/** `Nonce` of docs/openapi.yaml. */
export interface Nonce {
    /** 48 characters, base64url. */
    nonce: string
    /** Seconds. */
    expires_in: number
}

/** `SignInRequest` of docs/openapi.yaml. */
export interface SignInRequest {
    /** apple, amazon, microsoft, cognito, password, passkey, guest, or the id of an OpenID Connect provider of the configuration. */
    provider: string
    client_id: string
    /** Required, except for a guest. */
    credential?: Credential
    device?: Device
    /** The flow of a link_account step. */
    link_flow?: string | null
    scope?: Scope
    nonce?: AppNonce
    bot_check?: BotCheck
}

/** With `openid` the session gets an ID token; `profile`, `email` and `phone` add claims of the account. Unknown scopes are ignored. The call that completes the sign-in decides: a flow keeps neither `scope` nor `nonce`. */
export type Scope = string | null

/** The app's own nonce, 1 to 512 bytes of visible ASCII: a claim of the ID token. It counts only with `openid`. The provider's nonce is a member of `credential`. */
export type AppNonce = string | null

/** `GrantForm` of docs/openapi.yaml. */
export interface GrantForm {
    grant_type: "authorization_code" | "refresh_token" | "urn:ietf:params:oauth:grant-type:device_code" | "client_credentials" | "urn:ietf:params:oauth:grant-type:token-exchange" | "urn:ietf:params:oauth:grant-type:jwt-bearer"
    client_id?: string
    client_secret?: string
    /** Good for 60 seconds and once. */
    code?: string
    /** Of `POST /v1/device_authorization`. */
    device_code?: string
    code_verifier?: string
    redirect_uri?: string
    refresh_token?: string
    /** A JWT of the client (RFC 7523), in place of a secret. */
    client_assertion?: string
    /** `urn:ietf:params:oauth:client-assertion-type:jwt-bearer`. */
    client_assertion_type?: string
    /** An identity assertion of a trusted provider (ID-JAG, RFC 7523), once. */
    assertion?: string
    /** The access token to exchange (RFC 8693); for an identity assertion the ID token of this client. */
    subject_token?: string
    /** `urn:ietf:params:oauth:token-type:access_token`; for an identity assertion `urn:ietf:params:oauth:token-type:id_token`. */
    subject_token_type?: string
    /** `urn:ietf:params:oauth:token-type:access_token`, or absent; `urn:ietf:params:oauth:token-type:id-jag` for an identity assertion. */
    requested_token_type?: string
    /** The account for whose user an operator acts; `subject_token` is then the operator's. */
    requested_subject?: string
    /** With `requested_subject`: why, for the audit log. */
    reason?: string
    /** In an exchange, the same as `resource`; for an identity assertion the issuer of the other authorization server. */
    audience?: string
    /** The resource that the access token is for (RFC 8707); of several granted ones one is required. */
    resource?: string
    /** With a refresh: less than was granted, for this access token. */
    scope?: string
}

/** `GrantedTokens` of docs/openapi.yaml. */
export interface GrantedTokens {
    /** at+jwt (RFC 9068), ES256. An identity assertion stands here too (RFC 8693 §2.2.1). */
    access_token: string
    /** `N_A`: an identity assertion, which opens nothing by itself. */
    token_type: "Bearer" | "DPoP" | "N_A"
    /** Seconds. */
    expires_in: number
    refresh_token?: string
    /** Seconds. */
    refresh_expires_in?: number
    session_id?: string
    /** Where the sign-in had the scope openid: a JWT of type JWT, ES256, for the client alone. Never an access token. */
    id_token?: string
    /** Of an exchange: `urn:ietf:params:oauth:token-type:access_token` or `urn:ietf:params:oauth:token-type:id-jag`. */
    issued_token_type?: string
    /** The granted scopes, in one order. */
    scope?: string
}

/** `OAuthError` of docs/openapi.yaml. */
export interface OAuthError {
    error: "invalid_request" | "invalid_client" | "invalid_grant" | "invalid_dpop_proof" | "use_dpop_nonce" | "unsupported_grant_type" | "unsupported_token_type" | "temporarily_unavailable" | "unauthorized_client" | "invalid_target" | "invalid_scope" | "invalid_client_metadata" | "invalid_redirect_uri" | "invalid_token"
    error_description: string
    code: Code
    request_id: string
}

/** `LinkRequest` of docs/openapi.yaml. */
export interface LinkRequest {
    provider: string
    credential: LinkedCredential
}

/** The provider decides which of these is meant. */
export type LinkedCredential = AppleCredential | TokenCredential | AccessTokenCredential | CodeCredential | AmazonCodeCredential

/** The provider decides which of these is meant. */
export type Credential = AppleCredential | TokenCredential | AccessTokenCredential | CodeCredential | AmazonCodeCredential | PasswordCredential | NameCredential | NoCredential

/** `apple`. The code is exchanged where APPLE_KEY_ID and APPLE_PRIVATE_KEY are set, and Apple's refresh token is kept sealed. */
export interface AppleCredential {
    /** At most 8,192 bytes. */
    identity_token: string
    /** Raw, as POST /v1/nonce gave it; the token carries its SHA-256 in lower-case hex. */
    nonce?: string | null
    authorization_code?: string | null
    /** The name that the app got at the first sign-in, in parts or as one text. Untrusted. A later one fills an empty name. */
    name?: { given?: string | null; family?: string | null } | string | null
}

/** `microsoft`, `cognito`, `facebook` (Limited Login), `line` and every OpenID Connect provider. */
export interface TokenCredential {
    /** At most 16,384 bytes. */
    id_token: string
    nonce?: string | null
}

/** `amazon` and `facebook`, with an access token. */
export interface AccessTokenCredential {
    /** Of Amazon at most 2,048 bytes, beginning with `Atza|`. */
    access_token: string
}

/** Every OpenID Connect provider, with a code. The code is exchanged as the first of the configured client ids. No token may be sent with the code. */
export interface CodeCredential {
    authorization_code: string
    code_verifier: string
    redirect_uri: string
    nonce?: string | null
}

/** `amazon`, with a code. No token may be sent with it. */
export interface AmazonCodeCredential {
    authorization_code: string
    code_verifier?: string | null
    redirect_uri: string
    /** Which of AMAZON_CLIENT_IDS the code was made for; without it the first one. */
    client_id?: string | null
    nonce?: string | null
}

/** `password`, and providers that sign in step by step. */
export interface PasswordCredential {
    /** The e-mail address. */
    username: string
    /** At most 1,024 bytes. */
    password: string
}

/** `password` without a step, `email_otp`, `sms_otp`: the proof of the name, asked as a step. */
export interface NameCredential {
    /** An address, a number in international form, or a user name. */
    username: string
}

/** `passkey`: the passkey says who it is. */
export type NoCredential = { [member: string]: never }

/** `Device` of docs/openapi.yaml. */
export type Device = null | {
    /** Shown in the list of sessions. */
    name?: string | null
    /** The device token of an earlier sign-in on this device. Attempts of strangers don't slow this device, and a remembered device skips the second factor. */
    token?: string | null
}

/** `ContinueRequest` of docs/openapi.yaml. */
export interface ContinueRequest {
    flow: string
    response: StepResponse
    device?: Device
    scope?: Scope
    nonce?: AppNonce
}

/** `ContinueSignInRequest` of docs/openapi.yaml. */
export interface ContinueSignInRequest {
    flow: string
    response: StepResponse
    device?: Device
    scope?: Scope
    nonce?: AppNonce
    bot_check?: BotCheck
}

/** The answer of the bot check's widget, after `bot_check_required` or `bot_check_failed`. It is good for one request. */
export type BotCheck = string | null

/** The answer to the step. */
export interface StepResponse {
    /** Digits of any script. Spaces, hyphens and invisible characters are ignored; what then is no code is refused with `not_a_code` and costs no try. */
    code?: string
    password?: string
    /** True in place of a provider's password: the provider sends a code for another one. */
    forgot_password?: boolean
    new_password?: string
    /** The browser's PublicKeyCredential as JSON (WebAuthn, toJSON), or its text. */
    credential?: { [member: string]: JSONValue } | string
    /** The id or type of another factor to ask for. */
    factor?: string | null
    /** Capitals, spaces, hyphens and the width of letters make no difference; what then is no code is refused with `not_a_code`. */
    recovery_code?: string
    /** To a custom challenge. */
    answer?: string
    /** The mailbox that is to be the second factor. */
    email?: string
    /** The number that is to be a provider's second factor. */
    phone?: string
    /** Attributes that the provider requires, with a new password or alone; texts. */
    attributes?: { [member: string]: JSONValue } | null
    /** The user's name for the factor in set-up. */
    name?: string | null
    remember_device?: boolean
    create_account?: true
}

/** `ForgotRequest` of docs/openapi.yaml. */
export interface ForgotRequest {
    client_id: string
    username: string
    device?: Device
    bot_check?: BotCheck
}

/** `PasswordChangeRequest` of docs/openapi.yaml. */
export interface PasswordChangeRequest {
    current_password?: string | null
    new_password: string
}

/** `StepUpRequest` of docs/openapi.yaml. */
export interface StepUpRequest {
    device?: Device
}

/** `FactorRequest` of docs/openapi.yaml. */
export interface FactorRequest {
    type: "totp" | "email" | "sms" | "passkey" | "recovery_codes"
    /** For `email`. */
    email?: string
    /** For `sms`, in international form. */
    phone?: string
}

/** `FactorConfirmRequest` of docs/openapi.yaml. */
export interface FactorConfirmRequest {
    flow: string
    response: StepResponse
}

/** `FactorChange` of docs/openapi.yaml. */
export interface FactorChange {
    name?: string | null
    preferred?: boolean
}

/** `SignUpRequest` of docs/openapi.yaml. */
export interface SignUpRequest {
    client_id: string
    /** The name to sign in with, of a kind that the client allows: an e-mail address (ASCII, at most 254 bytes), a number in international form, a user name. */
    username: string
    /** Together with a number or a user name. */
    email?: string | null
    phone?: string | null
    /** The attributes that the client requires, by name. */
    attributes?: { [member: string]: JSONValue } | null
    /** PASSWORD_MINIMUM_LENGTH characters at least, 1,024 bytes at most, none of the common ones, not the address. */
    password?: string | null
    display_name?: string | null
    device?: Device
    scope?: Scope
    nonce?: AppNonce
    bot_check?: BotCheck
}

/** `FlowRequest` of docs/openapi.yaml. */
export interface FlowRequest {
    flow: string
    bot_check?: BotCheck
}

/** `RefreshRequest` of docs/openapi.yaml. */
export interface RefreshRequest {
    refresh_token: string
    /** A confidential client's, with `client_secret`, where it does not use HTTP Basic. */
    client_id?: string
    client_secret?: string
}

/** `SignOutRequest` of docs/openapi.yaml. */
export interface SignOutRequest {
    scope?: "local" | "global" | null
}

/** `AccountChange` of docs/openapi.yaml. */
export interface AccountChange {
    /** Controls, format characters and angle brackets are dropped; 200 characters are kept. */
    display_name?: string | null
    /** Of the client's own (`CLIENT_ATTRIBUTES`); null takes one away that need not be there. */
    attributes?: { [member: string]: JSONValue }
    /** The preferred first factor: asked at once for the name alone, on a device that is known for it. */
    first_factor?: "password" | "email_otp" | "sms_otp" | "passkey" | null
}

/** `SignedIn` of docs/openapi.yaml. */
export interface SignedIn {
    status: "signed_in"
    account: Account
    identity?: IdentityName
    session: Tokens
    new_account: boolean
    /** After a password or steps: keep it, and send it as device.token next time. */
    device?: { token: string }
    recovery_codes?: RecoveryCodeList
}

/** `NextStep` of docs/openapi.yaml. */
export interface NextStep {
    status: "next_step"
    /** Names the flow in the next call. Opaque. */
    flow: string
    /** Seconds. */
    expires_in: number
    next_step: LinkAccountStep | ConfirmSignUpStep | FirstFactorSelectionStep | PasswordStep | CodeStep | TOTPStep | ChallengeStep | PasskeyStep | SecondFactorSelectionStep | SetUpSelectionStep | TOTPSetUpStep | ContactSetUpStep | AttributesStep | PasswordResetStep | BrowserStep | PasskeySetUpStep | NewPasswordStep | ResetPasswordStep
    recovery_codes?: RecoveryCodeList
}

/** An account has the credential's address, and no rule lets the credential join it. Sign in to that account with link_flow, or decline. */
export interface LinkAccountStep {
    type: "link_account"
    /** Masked. */
    email: string
}

/** `ConfirmSignUpStep` of docs/openapi.yaml. */
export interface ConfirmSignUpStep {
    type: "confirm_sign_up"
    delivery?: Delivery
    /** Seconds. */
    resend_after?: number
}

/** The destination of the code. */
export interface Delivery {
    medium: "email" | "sms"
    /** Masked. */
    destination: string
    code_length: number
}

/** The choices of a question, or the alternatives to it; absent where there are none. */
export type Choices = Choice[]

/** `Choice` of docs/openapi.yaml. */
export interface Choice {
    /** The value of `factor` in the answer that selects it. */
    id: string
    type: "totp" | "sms" | "email" | "passkey" | "recovery_code" | "password" | "email_otp" | "sms_otp"
    /** A masked destination, or the user's name for the factor. */
    hint?: string
}

/** Ten codes to write down, each good once. They are shown this once, with the first second factor. */
export type RecoveryCodeList = string[]

/** The proofs to choose from. The same for an unknown name. */
export interface FirstFactorSelectionStep {
    type: "continue_sign_in_with_first_factor_selection"
    factors: Choices
}

/** The password. A flow that a provider leads may take `forgot_password` in its place: the provider sends a code for another one. */
export interface PasswordStep {
    type: "confirm_sign_in_with_password"
    factors?: Choices
}

/** A code that was sent: `otp` by mail, or as a first factor; `sms_mfa_code` by text message as a second one. A provider may not say where it went. */
export interface CodeStep {
    type: "confirm_sign_in_with_otp" | "confirm_sign_in_with_sms_mfa_code"
    delivery?: Delivery
    /** Seconds. */
    resend_after?: number
    factors?: Choices
}

/** The code that the authenticator app shows. */
export interface TOTPStep {
    type: "confirm_sign_in_with_totp_code"
    factors?: Choices
}

/** The question of `challenge`: a written-down code where it is `recovery_code`; else the provider's question. */
export interface ChallengeStep {
    type: "confirm_sign_in_with_custom_challenge"
    challenge: { [member: string]: JSONValue }
    factors?: Choices
}

/** A passkey: hand the options to the browser or the system. */
export interface PasskeyStep {
    type: "confirm_sign_in_with_passkey"
    /** PublicKeyCredentialRequestOptionsJSON (WebAuthn level 3). */
    passkey: { [member: string]: JSONValue }
    factors?: Choices
}

/** Which second factor is to be asked. */
export interface SecondFactorSelectionStep {
    type: "continue_sign_in_with_mfa_selection"
    factors: Choices
}

/** A second factor is required and missing: choose one to set up. */
export interface SetUpSelectionStep {
    type: "continue_sign_in_with_mfa_setup_selection"
    factors: Choices
}

/** A secret for an authenticator app; its first code proves it. */
export interface TOTPSetUpStep {
    type: "continue_sign_in_with_totp_setup"
    totp: { secret: string; uri: string }
}

/** Which mailbox, or at a provider which number, is to be the second factor. */
export interface ContactSetUpStep {
    type: "continue_sign_in_with_email_mfa_setup" | "continue_sign_in_with_sms_mfa_setup"
    /** The provider's value, masked. */
    email?: string
}

/** A provider wants to know more before it makes an account: `attributes` of the answer, an object of texts with exactly these names. */
export interface AttributesStep {
    type: "continue_sign_up_with_attributes"
    /** In the provider's own words. */
    required_attributes: string[]
}

/** A provider is still setting the new password: answer `{}` after this many seconds, until another step or the session comes. After two minutes the flow ends. */
export interface PasswordResetStep {
    type: "continue_password_reset"
    /** Seconds. */
    retry_after: number
}

/** The provider requires its own pages: start the sign-in again in a browser. The flow has ended: `flow` is empty. */
export interface BrowserStep {
    type: "continue_in_browser"
    /** Our own `/login/{provider}?client_id=…`. Add `redirect_uri`, `state` and `code_challenge`, as for any sign-in in a browser, and open it. */
    url: string
}

/** A new passkey: hand the options to the browser or the system. */
export interface PasskeySetUpStep {
    type: "continue_sign_in_with_passkey_setup"
    /** PublicKeyCredentialCreationOptionsJSON (WebAuthn level 3). */
    passkey: { [member: string]: JSONValue }
}

/** A new password of the user, in place of the one that an operator or a provider's administrator set. */
export interface NewPasswordStep {
    type: "confirm_sign_in_with_new_password"
    /** The attributes that the provider requires too: `attributes` of the answer. */
    required_attributes?: string[]
}

/** The code that was sent, and another password: `POST /v1/password/reset`; in a flow that a provider leads, `POST /v1/sign-in/continue`. */
export interface ResetPasswordStep {
    type: "reset_password"
    delivery?: Delivery
    /** Seconds. */
    resend_after?: number
}

/** `Factors` of docs/openapi.yaml. */
export interface Factors {
    /** Whether one is asked at every sign-in. */
    second_factor: boolean
    factors: Factor[]
    recovery_codes_left: number
    /** When all of them are removed, as an operator asked; `DELETE /v1/account/factor-removal` keeps them. */
    removal_due_at: string | null
}

/** `Factor` of docs/openapi.yaml. */
export interface Factor {
    id: string
    type: "totp" | "sms" | "email" | "passkey"
    /** Untrusted text: escape it. */
    name: string | null
    /** The destination of codes; absent for a passkey. */
    address?: string | null
    /** Of a passkey: whether its maker keeps a copy. */
    backed_up?: boolean
    /** Whether it is asked first. */
    preferred: boolean
    added_at: string
    last_used_at: string | null
}

/** `FactorAdded` of docs/openapi.yaml. */
export interface FactorAdded {
    factor: Factor
    recovery_codes?: RecoveryCodeList
    /** For a guest only: the guest's session has ended, and this one replaces it. */
    session?: Tokens
}

/** `RecoveryCodes` of docs/openapi.yaml. */
export interface RecoveryCodes {
    recovery_codes: RecoveryCodeList
}

/** `Devices` of docs/openapi.yaml. */
export interface Devices {
    devices: RememberedDevice[]
}

/** `RememberedDevice` of docs/openapi.yaml. */
export interface RememberedDevice {
    id: string
    name: string | null
    added_at: string
    last_used_at: string | null
    expires_at: string
}

/** `Addresses` of docs/openapi.yaml. */
export interface Addresses {
    addresses: Address[]
}

/** `AddressAdded` of docs/openapi.yaml. */
export interface AddressAdded {
    addresses: Address[]
    /** For a guest only: the guest's session has ended, and this one replaces it. */
    session?: Tokens
}

/** `Address` of docs/openapi.yaml. */
export interface Address {
    type: "email" | "phone"
    address: string
    verified: boolean
    /** Whether it is the main one of the account. */
    main: boolean
    /** A forwarding address: it gets mail, and is no name to sign in with. */
    relay: boolean
    added_at: string
    /** There where the newest message to it came back or was refused for good. */
    undeliverable_since?: string
}

/** `AddressRequest` of docs/openapi.yaml. */
export interface AddressRequest {
    /** An e-mail address, or a number in international form. */
    address: string
}

/** `AddressConfirmRequest` of docs/openapi.yaml. */
export interface AddressConfirmRequest {
    flow: string
    response: { code: string }
}

/** `AddressChange` of docs/openapi.yaml. */
export interface AddressChange {
    main: true
}

/** `Account` of docs/openapi.yaml. */
export interface Account {
    id: string
    /** Untrusted text: escape it. */
    display_name: string | null
    email: string | null
    email_verified: boolean
    /** The account was made without a credential and has none yet; absent for every other account. */
    guest?: true
    created_at: string
    deletion?: Deletion
}

/** There while the deletion of the account waits; never in the answer of a sign-in: ask `GET /v1/session`. */
export interface Deletion {
    requested_at: string
    due_at: string
}

/** `Export` of docs/openapi.yaml. */
export interface Export {
    format: 1
    account: { [member: string]: JSONValue }
    /** The moved parts of the account; each has its own row too. */
    absorbed_accounts: ({ [member: string]: JSONValue })[]
    emails: ({ [member: string]: JSONValue })[]
    phones: ({ [member: string]: JSONValue })[]
    identities: ({ [member: string]: JSONValue })[]
    password: { [member: string]: JSONValue } | null
    factors: ({ [member: string]: JSONValue })[]
    recovery_codes: { [member: string]: JSONValue }
    passkeys: ({ [member: string]: JSONValue })[]
    remembered_devices: ({ [member: string]: JSONValue })[]
    known_devices: ({ [member: string]: JSONValue })[]
    sessions: ({ [member: string]: JSONValue })[]
    unfinished_steps: ({ [member: string]: JSONValue })[]
    imported_from: ({ [member: string]: JSONValue })[]
    operator: { [member: string]: JSONValue } | null
    messages: ({ [member: string]: JSONValue })[]
    events: ({ [member: string]: JSONValue })[]
}

/** `Events` of docs/openapi.yaml. */
export interface Events {
    events: Event[]
    next_cursor: string | null
}

/** `Event` of docs/openapi.yaml. */
export interface Event {
    at: string
    /** `new_device`: the sign-in came from a device that the account had not used. `factor_removal_requested`: support was asked to remove every second factor that was lost; `factor_removal_cancelled`: they stay; `all_factors_removed`: it was done. */
    type: "account_created" | "signed_in" | "new_device" | "wrong_password" | "wrong_code" | "session_ended" | "password_changed" | "factor_added" | "factor_removed" | "factor_removal_requested" | "factor_removal_cancelled" | "all_factors_removed" | "recovery_codes_replaced" | "second_factor_demanded" | "identity_linked" | "identity_unlinked" | "address_added" | "address_removed" | "main_address_changed" | "data_exported" | "deletion_requested" | "deletion_cancelled" | "account_disabled" | "account_enabled" | "accounts_merged" | "accounts_separated"
    /** `service`: the server itself, such as when a stolen token was used. */
    by: "person" | "support" | "service"
    /** The kind of factor or address. */
    about: "totp" | "sms" | "email" | "phone" | "passkey" | null
    client_id: string | null
    provider: string | null
    /** The address of the request; null for support. */
    address: string | null
    /** Untrusted text: escape it. */
    device_name: string | null
    /** Untrusted text: escape it. */
    user_agent: string | null
}

/** `DeletionAnswer` of docs/openapi.yaml. */
export interface DeletionAnswer {
    deletion: Deletion
}

/** `Profile` of docs/openapi.yaml. */
export interface Profile {
    id: string
    /** Untrusted text: escape it. */
    display_name: string | null
    email: string | null
    email_verified: boolean
    /** As in `Account`. */
    guest?: true
    created_at: string
    user_name: string | null
    /** E.164. */
    phone: string | null
    phone_verified: boolean
    /** Those of the client that asks. */
    attributes: { [member: string]: JSONValue }
    first_factor: "password" | "email_otp" | "sms_otp" | "passkey" | null
    deletion?: Deletion
    factor_removal?: FactorRemoval
}

/** Present while a removal of all second factors is pending, as an operator asked. Show it: `DELETE /v1/account/factor-removal` cancels it. */
export interface FactorRemoval {
    due_at: string
}

/** The identity signed in with; absent after a password. */
export interface IdentityName {
    id: string
    provider: string
    subject: string
}

/** `Identity` of docs/openapi.yaml. */
export interface Identity {
    id: string
    provider: string
    subject: string
    /** The provider's claims at the time of linking. No rule reads them. */
    email: string | null
    email_verified: boolean
    linked_at: string
}

/** `Identities` of docs/openapi.yaml. */
export interface Identities {
    identities: Identity[]
}

/** `Linked` of docs/openapi.yaml. */
export interface Linked {
    identity: Identity
    /** For a guest only: the guest's session has ended, and this one replaces it. */
    session?: Tokens
}

/** `Tokens` of docs/openapi.yaml. */
export interface Tokens {
    /** The same through all refreshes: `sid` in access tokens. */
    id: string
    token_type: "Bearer" | "DPoP"
    /** JWT of type at+jwt (RFC 9068), ES256. */
    access_token: string
    /** Seconds. */
    expires_in: number
    /** Opaque, good once. A client with relaxed rotation gets the same one from each refresh. */
    refresh_token: string
    /** Seconds until the session ends if it is not refreshed. */
    refresh_expires_in: number
    /** Where the sign-in had the scope openid: a JWT of type JWT, ES256, for the client alone. Never an access token. */
    id_token?: string
    /** The scopes of the ID token, in one order. */
    scope?: string
}

/** `Refreshed` of docs/openapi.yaml. */
export interface Refreshed {
    session: Tokens
}

/** `CurrentSession` of docs/openapi.yaml. */
export interface CurrentSession {
    session: Session
    account: Account
}

/** `Session` of docs/openapi.yaml. */
export interface Session {
    id: string
    client_id: string
    /** How the person came in: a provider's id, password, email_otp, sms_otp, passkey or guest. */
    provider: string
    auth_time: string
    /** docs/factors.md says what each means. */
    amr: ("fed" | "pwd" | "otp" | "sms" | "pop" | "custom" | "user" | "mfa")[]
    /** How many different things were proved; 0 for a guest. */
    acr: "0" | "1" | "2"
    /** Additional claims of the app's access tokens (webhooks.md); absent where there are none. */
    claims?: { [member: string]: JSONValue }
    created_at: string
    /** The latest end of the session. */
    expires_at: string
}

/** `DeviceSession` of docs/openapi.yaml. */
export interface DeviceSession {
    id: string
    /** Whether it is the current session. */
    current: boolean
    client_id: string
    provider: string
    /** The protocol of its tokens: the gateway's own, Amazon Cognito's API, or Microsoft's native authentication. */
    dialect: "gateway" | "cognito" | "native_auth"
    device_name: string | null
    /** The network address of the sign-in. */
    address: string | null
    user_agent: string | null
    created_at: string
    /** The last refresh. */
    last_used_at: string
    /** The end if it is not refreshed. */
    idle_expires_at: string
    /** The latest end of the session. */
    expires_at: string
}

/** `Sessions` of docs/openapi.yaml. */
export interface Sessions {
    sessions: DeviceSession[]
}

/** `Grant` of docs/openapi.yaml. */
export interface Grant {
    client_id: string
    client_name: string
    scopes: string[]
    /** The APIs that the app may call for the user. */
    resources: GrantedResource[]
    granted_at: string
    last_used_at: string | null
}

/** `GrantedResource` of docs/openapi.yaml. */
export interface GrantedResource {
    identifier: string
    name: string
    scopes: string[]
}

/** `Grants` of docs/openapi.yaml. */
export interface Grants {
    grants: Grant[]
}

/** `Problem` of docs/openapi.yaml. */
export interface Problem {
    /** The address of the page about the code, below PUBLIC_URL. Branch on `code`. */
    type: string
    /** For people; nothing to branch on. */
    title: string
    status: number
    /** About this occurrence. */
    detail?: string
    code: Code
    request_id: string
    /** Seconds; the same as Retry-After. */
    retry_after?: number
    errors?: ProblemItem[]
    /** With `session_ended`, if it is still known: the reason for the end. */
    reason?: "signed_out" | "consent_withdrawn" | "credentials_changed" | "token_reused" | "replaced" | "ended_by_operator" | "account_disabled" | "account_deleted" | "expired"
    /** With `identity_in_use`: for `POST /v1/account/merges/preview`, where the other account may go into this one. */
    merge_ticket?: string
    /** With `bot_check_required` and `bot_check_failed`: the service of the widget. */
    widget?: "turnstile" | "hcaptcha" | "recaptcha"
    /** With `bot_check_required` and `bot_check_failed`: the site key of the widget. */
    site_key?: string
}

/** `OwnMerge` of docs/openapi.yaml. */
export interface OwnMerge {
    id: string
    absorbed_account_id: string
    made_at: string
    undo_until: string
}

/** `OwnMerges` of docs/openapi.yaml. */
export interface OwnMerges {
    merges: OwnMerge[]
}

/** `OwnMergeDone` of docs/openapi.yaml. */
export interface OwnMergeDone {
    merge: OwnMerge
}

/** `MergeRequest` of docs/openapi.yaml. */
export interface MergeRequest {
    merge_ticket: string
    digest: string
}

/** `MergeTicketRequest` of docs/openapi.yaml. */
export interface MergeTicketRequest {
    access_token: string
}

/** `MergeTicket` of docs/openapi.yaml. */
export interface MergeTicket {
    merge_ticket: string
    expires_in: number
}

/** `MergePreviewRequest` of docs/openapi.yaml. */
export interface MergePreviewRequest {
    merge_ticket: string
}

/** `OwnMergePreview` of docs/openapi.yaml. */
export interface OwnMergePreview {
    /** Stands for both accounts as they were looked at. */
    digest: string
    moves: MergeMoves
    /** Whether both have a password, of which the other account's opens nothing any more. */
    loses_password: boolean
    ends_sessions: number
}

/** `MergeMoves` of docs/openapi.yaml. */
export interface MergeMoves {
    identities: Identity[]
    emails: string[]
    phones: string[]
    passkeys: number
    factors: number
    password: boolean
}

/** `ProblemItem` of docs/openapi.yaml. */
export interface ProblemItem {
    /** JSON Pointer (RFC 6901) into the body. */
    pointer: string
    /** The error of the field, snake_case. */
    code: string
    detail: string
}

/** The stable name. docs/errors.md has status, cause and remedy of each. */
export type Code = "malformed_request" | "invalid_request" | "bad_request" | "headers_too_large" | "body_too_large" | "body_too_slow" | "unsupported_media_type" | "transfer_coding_unsupported" | "not_found" | "method_not_allowed" | "origin_not_allowed" | "speculative_request" | "client_unknown" | "invalid_client" | "report_not_signed" | "report_out_of_time" | "algorithm_not_allowed" | "header_unsupported" | "wrong_token_type" | "key_id_malformed" | "key_unknown" | "signature_invalid" | "issuer_not_allowed" | "audience_mismatch" | "audience_flow_mismatch" | "authorized_party_mismatch" | "claim_type" | "expired" | "issued_at_invalid" | "not_yet_valid" | "too_old" | "lifetime_too_long" | "subject_invalid" | "tenant_not_allowed" | "domain_not_allowed" | "app_mismatch" | "subject_mismatch" | "code_invalid" | "code_token_mismatch" | "upstream_invalid_token" | "token_replayed" | "nonce_missing" | "nonce_mismatch" | "nonce_absent" | "nonce_unknown" | "nonce_expired" | "nonce_used" | "provider_unknown" | "provider_not_allowed" | "guests_not_allowed" | "provider_unavailable" | "provider_misconfigured" | "account_disabled" | "identity_in_use" | "account_conflict" | "link_subject_changed" | "last_credential" | "reauth_required" | "operator_account" | "operator_acts" | "flow_expired" | "access_token_missing" | "access_token_invalid" | "access_token_expired" | "session_ended" | "invalid_dpop_proof" | "use_dpop_nonce" | "refresh_token_invalid" | "refresh_token_expired" | "refresh_token_reused" | "invalid_credentials" | "password_too_short" | "password_too_long" | "password_common" | "password_contains_address" | "password_unchanged" | "code_wrong" | "too_many_tries" | "resend_too_soon" | "too_many_resends" | "throttled" | "claims_unavailable" | "challenge_unavailable" | "delivery_unavailable" | "delivery_refused" | "bot_check_required" | "bot_check_failed" | "country_not_served" | "passkey_refused" | "no_second_factor_left" | "step_up_required" | "factor_exists" | "factor_not_independent" | "no_second_factor" | "second_factor_demanded" | "nothing_to_resend" | "code_expired" | "password_rejected" | "attributes_rejected" | "temporary_password_expired" | "provider_declined" | "address_in_use" | "user_name_taken" | "state_invalid" | "state_not_bound" | "state_used" | "mixup" | "provider_disabled" | "provider_cancelled" | "provider_failed" | "redirect_not_allowed" | "code_challenge_required" | "login_required" | "insecure_transport" | "disown_link_invalid" | "invitation_invalid" | "form_not_bound" | "invalid_grant" | "client_document_refused" | "app_request_refused" | "invalid_client_metadata" | "invalid_redirect_uri" | "subject_token_invalid" | "assertion_invalid" | "invalid_target" | "invalid_scope" | "unsupported_grant_type" | "unsupported_token_type" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "unauthorized_client" | "user_code_invalid" | "not_an_operator" | "audience_not_allowed" | "too_many_streams" | "role_too_low" | "access_key_invalid" | "access_key_expired" | "network_not_allowed" | "out_of_reach" | "idempotency_key_reused" | "idempotency_key_busy" | "own_account" | "last_owner" | "last_administration_client" | "role_needs_factor" | "change_not_settled" | "nothing_to_change" | "accounts_changed" | "deletion_waits" | "undo_over" | "undo_blocked" | "overloaded" | "deadline_exceeded" | "database_unavailable" | "clock_wrong" | "outcome_unknown" | "internal_error"
