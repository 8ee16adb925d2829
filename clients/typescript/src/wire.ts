// Made by scripts/make-wire.mjs from docs/openapi.yaml: change that document, not this file.

/** Any JSON value. */
export type JSONValue = null | boolean | number | string | JSONValue[] | { [member: string]: JSONValue }

/** Send it as `cursor` to get the next page. Null on the last page. */
export type NextCursor = string | null

/** `flow` of the step that is answered. */
export type FlowToken = string

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
    /** The app's id. */
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
    /** The grant: what the caller exchanges for tokens. */
    grant_type: "authorization_code" | "refresh_token" | "urn:ietf:params:oauth:grant-type:device_code" | "client_credentials" | "urn:ietf:params:oauth:grant-type:token-exchange" | "urn:ietf:params:oauth:grant-type:jwt-bearer"
    /** The app's id, unless HTTP Basic or an assertion names it. */
    client_id?: string
    /** The secret of a confidential app without HTTP Basic. */
    client_secret?: string
    /** Good for 60 seconds and once. */
    code?: string
    /** Of `POST /v1/device_authorization`. */
    device_code?: string
    /** The verifier of the request's `code_challenge` (RFC 7636). */
    code_verifier?: string
    /** The `redirect_uri` of the authorization request, byte for byte. */
    redirect_uri?: string
    /** The newest refresh token of the session. */
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
    /** Opaque, good once. Absent where the grant gives none. */
    refresh_token?: string
    /** Seconds. */
    refresh_expires_in?: number
    /** The session: `sid` in access tokens. Absent where no session begins. */
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
    /** The error word of the standard. */
    error: "invalid_request" | "invalid_client" | "invalid_grant" | "invalid_dpop_proof" | "use_dpop_nonce" | "unsupported_grant_type" | "unsupported_token_type" | "temporarily_unavailable" | "unauthorized_client" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "invalid_target" | "invalid_scope" | "invalid_client_metadata" | "invalid_redirect_uri" | "invalid_token"
    /** For the app's developer; it may name a parameter. */
    error_description: string
    code: Code
    /** Names the log lines and the audit row. */
    request_id: string
}

/** `LinkRequest` of docs/openapi.yaml. */
export interface LinkRequest {
    /** The provider's id, such as `apple`. */
    provider: string
    credential: LinkedCredential
}

/** The provider decides which of these is meant. */
export type LinkedCredential = AppleCredential | TokenCredential | AccessTokenCredential | CodeCredential | AmazonCodeCredential

/** The provider decides which of these is meant. */
export type Credential = AppleCredential | TokenCredential | AccessTokenCredential | CodeCredential | AmazonCodeCredential | PasswordCredential | NameCredential | NoCredential

/** `apple`. The code is exchanged where APPLE_KEY_ID and APPLE_PRIVATE_KEY are set, and Apple's refresh token is kept sealed. */
export interface AppleCredential {
    /** The text of `identityToken` of Apple's SDK. At most 8,192 bytes. */
    id_token: string
    /** Raw, as POST /v1/nonce gave it; the token carries its SHA-256 in lower-case hex. */
    nonce?: string | null
    /** Of Apple's answer. With it Apple's consent can be revoked when the account is deleted. */
    authorization_code?: string | null
    /** The name that the app got at the first sign-in, in parts or as one text. Untrusted. A later one fills an empty name. */
    name?: { given?: string | null; family?: string | null } | string | null
}

/** `microsoft`, `cognito`, `facebook` (Limited Login), `line` and every OpenID Connect provider. */
export interface TokenCredential {
    /** At most 16,384 bytes. */
    id_token: string
    /** The nonce in the token, raw as `POST /v1/nonce` gave it. Needed where the token has one. */
    nonce?: string | null
}

/** `amazon` and `facebook`, with an access token. */
export interface AccessTokenCredential {
    /** Of Amazon at most 2,048 bytes, beginning with `Atza|`. */
    access_token: string
}

/** Every OpenID Connect provider, with a code. The code is exchanged as the first of the configured client ids. No token may be sent with the code. */
export interface CodeCredential {
    /** The code of the provider, good once. */
    authorization_code: string
    /** The PKCE verifier of the app's request to the provider (RFC 7636). */
    code_verifier: string
    /** The redirect address of the app's request to the provider, byte for byte. */
    redirect_uri: string
    /** The nonce of the app's request to the provider, as `POST /v1/nonce` gave it. */
    nonce?: string | null
}

/** `amazon`, with a code. No token may be sent with it. */
export interface AmazonCodeCredential {
    /** The code of Amazon, good once. */
    authorization_code: string
    /** The PKCE verifier of the app's request to Amazon; absent without PKCE. */
    code_verifier?: string | null
    /** The redirect address of the app's request to the provider, byte for byte. */
    redirect_uri: string
    /** Which of AMAZON_CLIENT_IDS the code was made for; without it the first one. */
    client_id?: string | null
    /** Not read: Amazon's answers have no nonce. */
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

/** The user's device. Without it the session has no device name, and the device counts as unknown. */
export type Device = null | {
    /** Shown in the list of sessions. */
    name?: string | null
    /** The device token of an earlier sign-in on this device. Attempts of strangers don't slow this device, and a remembered device skips the second factor. */
    token?: string | null
}

/** `ContinueRequest` of docs/openapi.yaml. */
export interface ContinueRequest {
    flow: FlowToken
    response: StepResponse
    device?: Device
    scope?: Scope
    nonce?: AppNonce
}

/** `ContinueSignInRequest` of docs/openapi.yaml. */
export interface ContinueSignInRequest {
    flow: FlowToken
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
    /** For `confirm_sign_in_with_password`. */
    password?: string
    /** True in place of a provider's password: the provider sends a code for another one. */
    forgot_password?: boolean
    /** The new password, for `confirm_sign_in_with_new_password` and `reset_password`. */
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
    /** Whether this device skips the second factor for 30 days; false by default. */
    remember_device?: boolean
    /** For `link_account`: declines the link, and makes an account without the address. */
    create_account?: true
}

/** `ForgotRequest` of docs/openapi.yaml. */
export interface ForgotRequest {
    /** The app's id. */
    client_id: string
    /** The name whose password is forgotten: address, number or user name. */
    username: string
    device?: Device
    bot_check?: BotCheck
}

/** `PasswordChangeRequest` of docs/openapi.yaml. */
export interface PasswordChangeRequest {
    /** Needed where the account has a password. */
    current_password?: string | null
    /** At least PASSWORD_MINIMUM_LENGTH characters, at most 1,024 bytes, not a common one, not the address. */
    new_password: string
}

/** `StepUpRequest` of docs/openapi.yaml. */
export interface StepUpRequest {
    device?: Device
}

/** `FactorRequest` of docs/openapi.yaml. */
export interface FactorRequest {
    /** The kind of factor. `recovery_codes` replaces the recovery codes at once. */
    type: "totp" | "email" | "sms" | "passkey" | "recovery_codes"
    /** For `email`. */
    email?: string
    /** For `sms`, in international form. */
    phone?: string
}

/** `FactorConfirmRequest` of docs/openapi.yaml. */
export interface FactorConfirmRequest {
    flow: FlowToken
    response: StepResponse
}

/** `FactorChange` of docs/openapi.yaml. */
export interface FactorChange {
    /** The user's name for the factor. Null or absent: it stays. */
    name?: string | null
    /** True: it is asked first, in place of the former one. False: none is. Absent: it stays. */
    preferred?: boolean
}

/** `SignUpRequest` of docs/openapi.yaml. */
export interface SignUpRequest {
    /** The app's id. */
    client_id: string
    /** The name to sign in with, of a kind that the client allows: an e-mail address (ASCII, at most 254 bytes), a number in international form, a user name. */
    username: string
    /** Together with a number or a user name. */
    email?: string | null
    /** Together with an address or a user name, in international form. */
    phone?: string | null
    /** The attributes that the client requires, by name. */
    attributes?: { [member: string]: JSONValue } | null
    /** PASSWORD_MINIMUM_LENGTH characters at least, 1,024 bytes at most, none of the common ones, not the address. */
    password?: string | null
    /** The name to show. 200 characters are kept. */
    display_name?: string | null
    device?: Device
    scope?: Scope
    nonce?: AppNonce
    bot_check?: BotCheck
}

/** `FlowRequest` of docs/openapi.yaml. */
export interface FlowRequest {
    flow: FlowToken
    bot_check?: BotCheck
}

/** `RefreshRequest` of docs/openapi.yaml. */
export interface RefreshRequest {
    /** The newest refresh token of the session. */
    refresh_token: string
    /** A confidential client's, with `client_secret`, where it does not use HTTP Basic. */
    client_id?: string
    /** A confidential client's, without HTTP Basic. */
    client_secret?: string
}

/** `SignOutRequest` of docs/openapi.yaml. */
export interface SignOutRequest {
    /** `local`: this session. `global`: every session of the account. */
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
    /** The user is signed in. */
    status: "signed_in"
    account: Account
    identity?: IdentityName
    session: Tokens
    /** Whether this sign-in made the account. */
    new_account: boolean
    /** After a password or steps: keep it, and send it as device.token next time. */
    device?: { token: string }
    recovery_codes?: RecoveryCodeList
}

/** `NextStep` of docs/openapi.yaml. */
export interface NextStep {
    /** The user has to answer a step. */
    status: "next_step"
    /** Names the flow in the next call. Opaque. */
    flow: string
    /** Seconds. */
    expires_in: number
    /** The question. `type` names it and decides about the other members. */
    next_step: LinkAccountStep | ConfirmSignUpStep | FirstFactorSelectionStep | PasswordStep | CodeStep | TOTPStep | ChallengeStep | PasskeyStep | SecondFactorSelectionStep | SetUpSelectionStep | TOTPSetUpStep | ContactSetUpStep | AttributesStep | PasswordResetStep | BrowserStep | PasskeySetUpStep | NewPasswordStep | ResetPasswordStep
    recovery_codes?: RecoveryCodeList
}

/** An account has the credential's address, and no rule lets the credential join it. Sign in to that account with link_flow, or decline. */
export interface LinkAccountStep {
    /** The kind of step. */
    type: "link_account"
    /** Masked. */
    email: string
}

/** `ConfirmSignUpStep` of docs/openapi.yaml. */
export interface ConfirmSignUpStep {
    /** The kind of step. */
    type: "confirm_sign_up"
    delivery?: Delivery
    /** Seconds. */
    resend_after?: number
}

/** The destination of the code. */
export interface Delivery {
    /** Mail or text message. */
    medium: "email" | "sms"
    /** Masked. */
    destination: string
    /** The number of digits. */
    code_length: number
}

/** The choices of a question, or the alternatives to it; absent where there are none. */
export type Choices = Choice[]

/** `Choice` of docs/openapi.yaml. */
export interface Choice {
    /** The value of `factor` in the answer that selects it. */
    id: string
    /** The kind of factor. */
    type: "totp" | "sms" | "email" | "passkey" | "recovery_code" | "password" | "email_otp" | "sms_otp"
    /** A masked destination, or the user's name for the factor. */
    hint?: string
}

/** Ten codes to write down, each good once. They are shown this once, with the first second factor. */
export type RecoveryCodeList = string[]

/** The proofs to choose from. The same for an unknown name. */
export interface FirstFactorSelectionStep {
    /** The kind of step. */
    type: "continue_sign_in_with_first_factor_selection"
    factors: Choices
}

/** The password. A flow that a provider leads may take `forgot_password` in its place: the provider sends a code for another one. */
export interface PasswordStep {
    /** The kind of step. */
    type: "confirm_sign_in_with_password"
    factors?: Choices
}

/** A code that was sent: `otp` by mail, or as a first factor; `sms_mfa_code` by text message as a second one. A provider may not say where it went. */
export interface CodeStep {
    /** The kind of step. */
    type: "confirm_sign_in_with_otp" | "confirm_sign_in_with_sms_mfa_code"
    delivery?: Delivery
    /** Seconds. */
    resend_after?: number
    factors?: Choices
}

/** The code that the authenticator app shows. */
export interface TOTPStep {
    /** The kind of step. */
    type: "confirm_sign_in_with_totp_code"
    factors?: Choices
}

/** The question of `challenge`: a written-down code where it is `recovery_code`; else the provider's question. */
export interface ChallengeStep {
    /** The kind of step. */
    type: "confirm_sign_in_with_custom_challenge"
    /** The question. `question` is `recovery_code`, or the members are the provider's or your own service's. */
    challenge: { [member: string]: JSONValue }
    factors?: Choices
}

/** A passkey: hand the options to the browser or the system. */
export interface PasskeyStep {
    /** The kind of step. */
    type: "confirm_sign_in_with_passkey"
    /** PublicKeyCredentialRequestOptionsJSON (WebAuthn level 3). */
    passkey: { [member: string]: JSONValue }
    factors?: Choices
}

/** Which second factor is to be asked. */
export interface SecondFactorSelectionStep {
    /** The kind of step. */
    type: "continue_sign_in_with_mfa_selection"
    factors: Choices
}

/** A second factor is required and missing: choose one to set up. */
export interface SetUpSelectionStep {
    /** The kind of step. */
    type: "continue_sign_in_with_mfa_setup_selection"
    factors: Choices
}

/** A secret for an authenticator app; its first code proves it. */
export interface TOTPSetUpStep {
    /** The kind of step. */
    type: "continue_sign_in_with_totp_setup"
    /** The secret, in two forms. */
    totp: { secret: string; uri: string }
}

/** Which mailbox, or at a provider which number, is to be the second factor. */
export interface ContactSetUpStep {
    /** The kind of step. */
    type: "continue_sign_in_with_email_mfa_setup" | "continue_sign_in_with_sms_mfa_setup"
    /** The provider's value, masked. */
    email?: string
}

/** A provider wants to know more before it makes an account: `attributes` of the answer, an object of texts with exactly these names. */
export interface AttributesStep {
    /** The kind of step. */
    type: "continue_sign_up_with_attributes"
    /** In the provider's own words. */
    required_attributes: string[]
}

/** A provider is still setting the new password: answer `{}` after this many seconds, until another step or the session comes. After two minutes the flow ends. */
export interface PasswordResetStep {
    /** The kind of step. */
    type: "continue_password_reset"
    /** Seconds. */
    retry_after: number
}

/** The provider requires its own pages: start the sign-in again in a browser. The flow has ended: `flow` is empty. */
export interface BrowserStep {
    /** The kind of step. */
    type: "continue_in_browser"
    /** Our own `/login/{provider}?client_id=…`. Add `redirect_uri`, `state` and `code_challenge`, as for any sign-in in a browser, and open it. */
    url: string
}

/** A new passkey: hand the options to the browser or the system. */
export interface PasskeySetUpStep {
    /** The kind of step. */
    type: "continue_sign_in_with_passkey_setup"
    /** PublicKeyCredentialCreationOptionsJSON (WebAuthn level 3). */
    passkey: { [member: string]: JSONValue }
}

/** A new password of the user, in place of the one that an operator or a provider's administrator set. */
export interface NewPasswordStep {
    /** The kind of step. */
    type: "confirm_sign_in_with_new_password"
    /** The attributes that the provider requires too: `attributes` of the answer. */
    required_attributes?: string[]
}

/** The code that was sent, and another password: `POST /v1/password/reset`; in a flow that a provider leads, `POST /v1/sign-in/continue`. */
export interface ResetPasswordStep {
    /** The kind of step. */
    type: "reset_password"
    delivery?: Delivery
    /** Seconds. */
    resend_after?: number
}

/** `Factors` of docs/openapi.yaml. */
export interface Factors {
    /** Whether one is asked at every sign-in. */
    second_factor: boolean
    /** The second factors and passkeys, oldest first. */
    factors: Factor[]
    /** How many recovery codes are unused. */
    recovery_codes_left: number
    /** When all of them are removed, as an operator asked; `DELETE /v1/account/factor-removal` keeps them. */
    removal_due_at: string | null
}

/** A second factor or a passkey. */
export interface Factor {
    /** The factor's id. */
    id: string
    /** The kind of factor. */
    type: "totp" | "sms" | "email" | "passkey"
    /** Untrusted text: escape it. */
    name: string | null
    /** The destination of codes; absent for a passkey. */
    address?: string | null
    /** Of a passkey: whether its maker keeps a copy. */
    backed_up?: boolean
    /** Whether it is asked first. */
    preferred: boolean
    /** When it was added. */
    added_at: string
    /** When it last answered a step; null if never. */
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
    /** The remembered devices, oldest first. */
    devices: RememberedDevice[]
}

/** `RememberedDevice` of docs/openapi.yaml. */
export interface RememberedDevice {
    /** The device's id. */
    id: string
    /** Untrusted text: escape it. Null if there is none. */
    name: string | null
    /** When it was remembered. */
    added_at: string
    /** When it last skipped the second factor; null if never. */
    last_used_at: string | null
    /** When the second factor is asked again. */
    expires_at: string
}

/** `Addresses` of docs/openapi.yaml. */
export interface Addresses {
    /** The addresses and numbers of the account. */
    addresses: Address[]
}

/** `AddressAdded` of docs/openapi.yaml. */
export interface AddressAdded {
    /** The addresses and numbers of the account, the new one included. */
    addresses: Address[]
    /** For a guest only: the guest's session has ended, and this one replaces it. */
    session?: Tokens
}

/** `Address` of docs/openapi.yaml. */
export interface Address {
    /** Address or number. */
    type: "email" | "phone"
    /** The address, or the number in E.164. */
    address: string
    /** Whether it is proved. */
    verified: boolean
    /** Whether it is the main one of the account. */
    main: boolean
    /** A forwarding address: it gets mail, and is no name to sign in with. */
    relay: boolean
    /** When it was added. */
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
    flow: FlowToken
    /** The answer. */
    response: { code: string }
}

/** `AddressChange` of docs/openapi.yaml. */
export interface AddressChange {
    /** Makes it the main address or number of the account. */
    main: true
}

/** The account of the signed-in user. */
export interface Account {
    /** The account's id: `sub` in access tokens. It never changes. */
    id: string
    /** Untrusted text: escape it. */
    display_name: string | null
    /** The main address; null if there is none. */
    email: string | null
    /** Whether the main address is proved. */
    email_verified: boolean
    /** The account was made without a credential and has none yet; absent for every other account. */
    guest?: true
    /** When the account was created. */
    created_at: string
    deletion?: Deletion
}

/** There while the deletion of the account waits; never in the answer of a sign-in: ask `GET /v1/session`. */
export interface Deletion {
    /** When the deletion was requested. */
    requested_at: string
    /** When everything is deleted. */
    due_at: string
}

/** `Export` of docs/openapi.yaml. */
export interface Export {
    /** The version of this format. */
    format: 1
    /** The account's own data, with the apps and pairwise subjects that know it. */
    account: { [member: string]: JSONValue }
    /** The moved parts of the account; each has its own row too. */
    absorbed_accounts: ({ [member: string]: JSONValue })[]
    /** The e-mail addresses, with their source and proof. */
    emails: ({ [member: string]: JSONValue })[]
    /** The phone numbers, with their source and proof. */
    phones: ({ [member: string]: JSONValue })[]
    /** The linked identities, with what their providers reported. */
    identities: ({ [member: string]: JSONValue })[]
    /** When the password was set; null without one. */
    password: { [member: string]: JSONValue } | null
    /** The second factors, without secrets. */
    factors: ({ [member: string]: JSONValue })[]
    /** How many recovery codes were made, and how many are left. */
    recovery_codes: { [member: string]: JSONValue }
    /** The passkeys, with their public keys. */
    passkeys: ({ [member: string]: JSONValue })[]
    /** The devices that skip the second factor, or did. */
    remembered_devices: ({ [member: string]: JSONValue })[]
    /** Since when each known device is known, and until when. */
    known_devices: ({ [member: string]: JSONValue })[]
    /** All stored sessions, ended ones too. */
    sessions: ({ [member: string]: JSONValue })[]
    /** Sign-ins, sign-ups and resets in progress. */
    unfinished_steps: ({ [member: string]: JSONValue })[]
    /** Where the account was imported from. */
    imported_from: ({ [member: string]: JSONValue })[]
    /** The operator's role; null for other accounts. */
    operator: { [member: string]: JSONValue } | null
    /** The messages to the user, without their text. */
    messages: ({ [member: string]: JSONValue })[]
    /** The rows of the audit log, oldest first. */
    events: ({ [member: string]: JSONValue })[]
}

/** `Events` of docs/openapi.yaml. */
export interface Events {
    /** The events of the page, newest first. */
    events: Event[]
    next_cursor: NextCursor
}

/** `Event` of docs/openapi.yaml. */
export interface Event {
    /** When it happened. */
    at: string
    /** `new_device`: the sign-in came from a device that the account had not used. `factor_removal_requested`: support was asked to remove every second factor that was lost; `factor_removal_cancelled`: they stay; `all_factors_removed`: it was done. */
    type: "account_created" | "signed_in" | "new_device" | "wrong_password" | "wrong_code" | "session_ended" | "password_changed" | "factor_added" | "factor_removed" | "factor_removal_requested" | "factor_removal_cancelled" | "all_factors_removed" | "recovery_codes_replaced" | "second_factor_demanded" | "identity_linked" | "identity_unlinked" | "address_added" | "address_removed" | "main_address_changed" | "data_exported" | "deletion_requested" | "deletion_cancelled" | "account_disabled" | "account_enabled" | "accounts_merged" | "accounts_separated"
    /** `service`: the server itself, such as when a stolen token was used. */
    by: "person" | "support" | "service"
    /** The kind of factor or address. */
    about: "totp" | "sms" | "email" | "phone" | "passkey" | null
    /** The app; null without one. */
    client_id: string | null
    /** The provider's id, or another sign-in method; null without one. */
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
    /** The account's id: `sub` in access tokens. It never changes. */
    id: string
    /** Untrusted text: escape it. */
    display_name: string | null
    /** The main address; null if there is none. */
    email: string | null
    /** Whether the main address is proved. */
    email_verified: boolean
    /** As in `Account`. */
    guest?: true
    /** When the account was created. */
    created_at: string
    /** Null if there is none. */
    user_name: string | null
    /** E.164. */
    phone: string | null
    /** Whether the main number is proved. */
    phone_verified: boolean
    /** Those of the client that asks. */
    attributes: { [member: string]: JSONValue }
    /** The preferred first factor; null if the user chose none. */
    first_factor: "password" | "email_otp" | "sms_otp" | "passkey" | null
    deletion?: Deletion
    factor_removal?: FactorRemoval
}

/** Present while a removal of all second factors is pending, as an operator asked. Show it: `DELETE /v1/account/factor-removal` cancels it. */
export interface FactorRemoval {
    /** When they are removed. */
    due_at: string
}

/** The identity signed in with; absent after a password. */
export interface IdentityName {
    /** The identity's id. */
    id: string
    /** The provider's id. */
    provider: string
    /** The provider's id of the user. */
    subject: string
}

/** An identity at a provider that opens the account. */
export interface Identity {
    /** The identity's id. */
    id: string
    /** The provider's id. */
    provider: string
    /** The provider's id of the user. */
    subject: string
    /** The provider's claims at the time of linking. No rule reads them. */
    email: string | null
    /** Whether the provider had proved the address. */
    email_verified: boolean
    /** When it was linked. */
    linked_at: string
}

/** `Identities` of docs/openapi.yaml. */
export interface Identities {
    /** The linked identities, oldest first. */
    identities: Identity[]
}

/** `Linked` of docs/openapi.yaml. */
export interface Linked {
    identity: Identity
    /** For a guest only: the guest's session has ended, and this one replaces it. */
    session?: Tokens
}

/** The session with its tokens. */
export interface Tokens {
    /** The same through all refreshes: `sid` in access tokens. */
    id: string
    /** `DPoP`: the tokens are bound to a key (RFC 9449). `Bearer`: they are not. */
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

/** The session of the access token. */
export interface Session {
    /** The session's id: `sid` in access tokens. */
    id: string
    /** The app. */
    client_id: string
    /** How the person came in: a provider's id, password, email_otp, sms_otp, passkey or guest. */
    provider: string
    /** When the user last proved something. */
    auth_time: string
    /** docs/factors.md says what each means. */
    amr: ("fed" | "pwd" | "otp" | "sms" | "pop" | "custom" | "user" | "mfa")[]
    /** How many different things were proved; 0 for a guest. */
    acr: "0" | "1" | "2"
    /** Additional claims of the app's access tokens (webhooks.md); absent where there are none. */
    claims?: { [member: string]: JSONValue }
    /** When the session began. */
    created_at: string
    /** The latest end of the session. */
    expires_at: string
}

/** `DeviceSession` of docs/openapi.yaml. */
export interface DeviceSession {
    /** The session's id. */
    id: string
    /** Whether it is the current session. */
    current: boolean
    /** The app. */
    client_id: string
    /** How the user signed in: a provider's id, `password`, `email_otp`, `sms_otp`, `passkey` or `guest`. */
    provider: string
    /** The protocol of its tokens: the gateway's own, Amazon Cognito's API, or Microsoft's native authentication. */
    dialect: "gateway" | "cognito" | "native_auth"
    /** Untrusted text: escape it. Null if the app sent none. */
    device_name: string | null
    /** The network address of the sign-in. */
    address: string | null
    /** Untrusted text: escape it. Null if there was none. */
    user_agent: string | null
    /** When the session began. */
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
    /** The open sessions, last used first. */
    sessions: DeviceSession[]
}

/** `Grant` of docs/openapi.yaml. */
export interface Grant {
    /** The app's id. */
    client_id: string
    /** The app's name. Untrusted text: escape it. */
    client_name: string
    /** What the user allowed. */
    scopes: string[]
    /** The APIs that the app may call for the user. */
    resources: GrantedResource[]
    /** When the user first allowed it. */
    granted_at: string
    /** When the app last got tokens; null if never. */
    last_used_at: string | null
}

/** `GrantedResource` of docs/openapi.yaml. */
export interface GrantedResource {
    /** The identifier of the API: `aud` of its tokens. */
    identifier: string
    /** The API's name for users. */
    name: string
    /** What the user allowed there. */
    scopes: string[]
}

/** `Grants` of docs/openapi.yaml. */
export interface Grants {
    /** The apps, newest first. */
    grants: Grant[]
}

/** `Problem` of docs/openapi.yaml. */
export interface Problem {
    /** The address of the page about the code, below PUBLIC_URL. Branch on `code`. */
    type: string
    /** For people; nothing to branch on. */
    title: string
    /** The HTTP status. */
    status: number
    /** About this occurrence. */
    detail?: string
    code: Code
    /** Names the log lines and the audit row. */
    request_id: string
    /** Seconds; the same as Retry-After. */
    retry_after?: number
    /** The wrong parts of the request; absent without any. */
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

/** A merge of two accounts of one user. */
export interface OwnMerge {
    /** The merge's id. */
    id: string
    /** The account that was merged into this one. */
    absorbed_account_id: string
    /** When they were merged. */
    made_at: string
    /** Until when it can be undone. */
    undo_until: string
}

/** `OwnMerges` of docs/openapi.yaml. */
export interface OwnMerges {
    /** The merges that can still be undone, newest first. */
    merges: OwnMerge[]
}

/** `OwnMergeDone` of docs/openapi.yaml. */
export interface OwnMergeDone {
    merge: OwnMerge
}

/** `MergeRequest` of docs/openapi.yaml. */
export interface MergeRequest {
    /** The proof of the other account: of `POST /v1/account/merges/ticket`, or of the problem `identity_in_use`. */
    merge_ticket: string
    /** `digest` of the preview that the user saw. */
    digest: string
}

/** `MergeTicketRequest` of docs/openapi.yaml. */
export interface MergeTicketRequest {
    /** An access token of the other account, at most ten minutes after its proof. */
    access_token: string
}

/** `MergeTicket` of docs/openapi.yaml. */
export interface MergeTicket {
    /** Proves the other account; good once. */
    merge_ticket: string
    /** Seconds. */
    expires_in: number
}

/** `MergePreviewRequest` of docs/openapi.yaml. */
export interface MergePreviewRequest {
    /** The proof of the other account: of `POST /v1/account/merges/ticket`, or of the problem `identity_in_use`. */
    merge_ticket: string
}

/** `OwnMergePreview` of docs/openapi.yaml. */
export interface OwnMergePreview {
    /** Stands for both accounts as they were looked at. */
    digest: string
    moves: MergeMoves
    /** Whether both have a password, of which the other account's opens nothing any more. */
    loses_password: boolean
    /** How many sessions of the other account end. */
    ends_sessions: number
}

/** What would move from the other account into this one. */
export interface MergeMoves {
    /** The identities that move. */
    identities: Identity[]
    /** The addresses that move. */
    emails: string[]
    /** The numbers that move. */
    phones: string[]
    /** How many passkeys move. */
    passkeys: number
    /** How many second factors move. */
    factors: number
    /** Whether the password moves. */
    password: boolean
}

/** `ProblemItem` of docs/openapi.yaml. */
export interface ProblemItem {
    /** JSON Pointer (RFC 6901) into the body. */
    pointer: string
    /** The error of the field, snake_case. */
    code: string
    /** What is wrong, in words; never the value itself. */
    detail: string
}

/** The stable name. docs/errors.md has status, cause and remedy of each. */
export type Code = "malformed_request" | "invalid_request" | "bad_request" | "headers_too_large" | "body_too_large" | "body_too_slow" | "unsupported_media_type" | "transfer_coding_unsupported" | "not_found" | "method_not_allowed" | "origin_not_allowed" | "speculative_request" | "client_unknown" | "invalid_client" | "report_not_signed" | "report_out_of_time" | "algorithm_not_allowed" | "header_unsupported" | "wrong_token_type" | "key_id_malformed" | "key_unknown" | "signature_invalid" | "issuer_not_allowed" | "audience_mismatch" | "audience_flow_mismatch" | "authorized_party_mismatch" | "claim_type" | "expired" | "issued_at_invalid" | "not_yet_valid" | "too_old" | "lifetime_too_long" | "subject_invalid" | "tenant_not_allowed" | "domain_not_allowed" | "app_mismatch" | "subject_mismatch" | "code_invalid" | "code_token_mismatch" | "upstream_invalid_token" | "token_replayed" | "nonce_missing" | "nonce_mismatch" | "nonce_absent" | "nonce_unknown" | "nonce_expired" | "nonce_used" | "provider_unknown" | "provider_not_allowed" | "guests_not_allowed" | "provider_unavailable" | "provider_misconfigured" | "account_disabled" | "identity_in_use" | "account_conflict" | "link_subject_changed" | "last_credential" | "reauth_required" | "operator_account" | "operator_acts" | "flow_expired" | "access_token_missing" | "access_token_invalid" | "access_token_expired" | "session_ended" | "invalid_dpop_proof" | "use_dpop_nonce" | "refresh_token_invalid" | "refresh_token_expired" | "refresh_token_reused" | "invalid_credentials" | "password_too_short" | "password_too_long" | "password_common" | "password_contains_address" | "password_unchanged" | "code_wrong" | "too_many_tries" | "resend_too_soon" | "too_many_resends" | "throttled" | "claims_unavailable" | "challenge_unavailable" | "delivery_unavailable" | "delivery_refused" | "bot_check_required" | "bot_check_failed" | "country_not_served" | "passkey_refused" | "no_second_factor_left" | "step_up_required" | "factor_exists" | "factor_not_independent" | "no_second_factor" | "second_factor_demanded" | "nothing_to_resend" | "code_expired" | "password_rejected" | "attributes_rejected" | "temporary_password_expired" | "provider_declined" | "address_in_use" | "user_name_taken" | "state_invalid" | "state_not_bound" | "state_used" | "mixup" | "provider_disabled" | "provider_cancelled" | "provider_failed" | "redirect_not_allowed" | "code_challenge_required" | "login_required" | "insecure_transport" | "disown_link_invalid" | "invitation_invalid" | "form_not_bound" | "invalid_grant" | "client_document_refused" | "app_request_refused" | "invalid_client_metadata" | "invalid_redirect_uri" | "subject_token_invalid" | "assertion_invalid" | "invalid_target" | "invalid_scope" | "unsupported_grant_type" | "unsupported_token_type" | "authorization_pending" | "slow_down" | "access_denied" | "expired_token" | "unauthorized_client" | "user_code_invalid" | "not_an_operator" | "audience_not_allowed" | "too_many_streams" | "role_too_low" | "access_key_invalid" | "access_key_expired" | "network_not_allowed" | "out_of_reach" | "idempotency_key_reused" | "idempotency_key_busy" | "own_account" | "last_owner" | "last_administration_client" | "role_needs_factor" | "change_not_settled" | "nothing_to_change" | "accounts_changed" | "deletion_waits" | "undo_over" | "undo_blocked" | "overloaded" | "deadline_exceeded" | "database_unavailable" | "clock_wrong" | "outcome_unknown" | "internal_error"
