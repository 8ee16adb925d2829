import type * as Wire from "./wire.js"

/** A way to sign in: make one with `by`. */
export interface SignInMethod {
    readonly provider: string
    readonly credential: Wire.Credential
}

/** The ways to sign in. Members have the names of docs/openapi.yaml. */
export const by = {
    /** Apple's ID token. `nonce` is the one of `client.nonce()`, raw; Apple gets `appleNonce(nonce)`. */
    apple: (credential: Wire.AppleCredential): SignInMethod => ({ provider: "apple", credential }),

    /** Login with Amazon's access token, or its code. */
    amazon: (credential: Wire.AccessTokenCredential | Wire.AmazonCodeCredential): SignInMethod =>
        ({ provider: "amazon", credential }),

    /** Microsoft's ID token. */
    microsoft: (credential: Wire.TokenCredential): SignInMethod => ({ provider: "microsoft", credential }),

    /** Any other provider of the gateway's configuration, such as `google`. */
    provider: (
        provider: string,
        credential: Wire.TokenCredential | Wire.AccessTokenCredential | Wire.CodeCredential | Wire.PasswordCredential
    ): SignInMethod => ({ provider, credential }),

    /** A name and a password. */
    password: (username: string, password: string): SignInMethod =>
        ({ provider: "password", credential: { username, password } }),

    /** Only a name: the next step asks for one of the account's first factors. */
    name: (username: string): SignInMethod => ({ provider: "password", credential: { username } }),

    /** A code that is mailed to the account's address. */
    emailCode: (username: string): SignInMethod => ({ provider: "email_otp", credential: { username } }),

    /** A code that is sent to the account's number. */
    smsCode: (username: string): SignInMethod => ({ provider: "sms_otp", credential: { username } }),

    /** No credential: a new account for a guest, if the app allows that. The session is its only key. */
    guest: (): SignInMethod => ({ provider: "guest", credential: {} }),

    /** A passkey; the next step has its options. `client.signInWithPasskey` does both. */
    passkey: (): SignInMethod => ({ provider: "passkey", credential: {} })
}
