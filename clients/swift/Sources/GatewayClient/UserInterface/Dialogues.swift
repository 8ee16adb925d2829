public import Foundation

/// Runs the dialogue of Sign in with Apple.
public protocol AppleAuthorizer: Sendable {
    /// The user's credential, with the nonce in its token.
    func appleCredential(nonce: Nonce) async throws -> Credential
}

/// Opens a sign-in in the system's browser.
public protocol BrowserOpener: Sendable {
    /// Returns the address that the browser comes back to.
    func open(_ signIn: BrowserSignIn) async throws -> URL
}

/// Everything outside this library that a sign-in can need.
///
/// A missing part takes its buttons away.
public struct Dialogues: Sendable {
    /// Passkeys.
    public var passkeys: (any PasskeyAuthenticator)?
    /// Sign in with Apple.
    public var apple: (any AppleAuthorizer)?
    /// The browser, with the app's redirect address and the hash for PKCE.
    public var browser: Browser?

    /// The browser of a sign-in.
    public struct Browser: Sendable {
        let opener: any BrowserOpener
        let redirectURI: String
        let hasher: any SHA256Hashing

        /// A browser that returns to the redirect address.
        public init(opener: any BrowserOpener, redirectURI: String, hasher: any SHA256Hashing) {
            (self.opener, self.redirectURI, self.hasher) = (opener, redirectURI, hasher)
        }
    }

    /// These dialogues.
    public init(
        passkeys: (any PasskeyAuthenticator)? = nil, apple: (any AppleAuthorizer)? = nil, browser: Browser? = nil
    ) {
        (self.passkeys, self.apple, self.browser) = (passkeys, apple, browser)
    }
}
