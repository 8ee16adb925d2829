package import Clients
package import Cryptography
package import Foundation
package import Vocabulary

/// What a call of native authentication continues.
///
/// The token is sealed, so that a protocol without sessions needs no row of its own; the flow in it has one.
package struct Continuation: Codable, Sendable, Equatable {
    /// The series of calls that the token belongs to.
    package enum Series: String, Codable, Sendable {
        case signIn = "sign_in"
        case signUp = "sign_up"
        case passwordReset = "password_reset"
        /// The start of version 2, before the app chooses one of the others.
        case start
    }

    /// The call of version 2 that is due.
    package enum Step: String, Codable, Sendable {
        /// The choice of a journey.
        case entry
        /// The choice of a method.
        case challenge
        /// The code or the password of the chosen method.
        case verify
        /// The attributes of a sign-up.
        case attributes
        /// The new password of a reset.
        case update
        /// The question for the end of a reset.
        case poll
        /// The proved session.
        case resume
    }

    package let series: Series
    /// The client's id.
    package let client: String
    /// The typed name.
    package let username: String
    /// The flow's token; nil before the first challenge.
    package var flow: String?
    /// The text of ``ConfirmedSessions`` that fetches the tokens.
    package var confirmed: String?
    /// The call of version 2 that is due; nil in version 1.
    package var step: Step?
    /// The path of the method that ``Step/verify`` is about.
    package var method: String?
    /// The scope that the first call of version 2 named.
    package var scope: String?
    /// The attributes of a sign-up that the app has sent, by their names there.
    package var sent: [String]?
    /// The words that the app can do: `mfa_required`, `registration_required`.
    package var capabilities: Set<String> = []
    /// Whether the message of the pending step was announced, so that the next challenge sends another.
    package var isChallenged = false
    /// The end of its life.
    package var expires = Date.distantPast

    package init(_ series: Series, client: String, username: String) {
        (self.series, self.client, self.username) = (series, client, username)
    }

    /// The same series with a pending flow.
    package func at(_ flow: String, isChallenged: Bool = false) -> Continuation {
        var next = self
        (next.flow, next.isChallenged) = (flow, isChallenged)
        return next
    }

    /// The same series with a proved session.
    package func confirmed(by session: String) -> Continuation {
        var next = self
        (next.flow, next.confirmed) = (nil, session)
        return next
    }

    /// The same series at a call of version 2.
    package func due(_ step: Step, method: String? = nil) -> Continuation {
        var next = self
        (next.step, next.method) = (step, method)
        return next
    }
}

/// Makes and reads continuation tokens.
package struct ContinuationTokens: Sendable {
    /// The lifetime of a token, in seconds; each answer starts it again.
    package static let life = 600
    /// The lifetime of an authorization code, in seconds.
    static let codeLife = 60
    private static let (purpose, codePurpose) = ("continuation token", "native authorization code")
    private static let (codePrefix, longest) = (SecretPrefix.nativeCode, 8_192)

    private let box: SealedBox
    private let now: @Sendable () -> Date

    package init(keys: MasterKeys, now: @escaping @Sendable () -> Date = { Date() }) {
        (box, self.now) = (SealedBox(keys), now)
    }

    /// A text that differs each time.
    package func text(_ continuation: Continuation) throws(Rejection) -> String {
        try sealed(continuation, Self.purpose, life: Self.life)
    }

    /// - Throws: `tokenMalformed` for a text that this server did not make, `flowExpired` for an expired one.
    package func open(_ text: String, of client: Client) throws(Rejection) -> Continuation {
        let continuation = try open(text)
        guard continuation.client == client.id else { throw .tokenMalformed }
        return continuation
    }

    /// The same where the token alone names the client.
    package func open(_ text: String) throws(Rejection) -> Continuation {
        guard let continuation = try opened(text[...], Self.purpose) else { throw .tokenMalformed }
        return continuation
    }

    // MARK: Authorization codes

    /// The authorization code of a proved session (RFC 6749 §4.1.2), for a token request without a proof key.
    ///
    /// The session's own code is sealed in it, so that no caller can redeem that one as a browser's code.
    package func code(_ continuation: Continuation) throws(Rejection) -> String {
        Self.codePrefix.rawValue + (try sealed(continuation, Self.codePurpose, life: Self.codeLife))
    }

    /// Whether a text has the form of these codes; a browser's code has another one.
    package func isCode(_ text: String) -> Bool { Self.codePrefix.begins(text) }

    /// The proved session of a code; its redemption spends the code (``ConfirmedSessions``).
    ///
    /// - Throws: `handoverCodeInvalid` for every refused code.
    package func open(code: String, of client: Client) throws(Rejection) -> Continuation {
        guard let sealed = Self.codePrefix.rest(of: code), let found = try? opened(sealed, Self.codePurpose),
            found.client == client.id
        else { throw .handoverCodeInvalid }
        return found
    }

    // MARK: Sealing

    private func sealed(
        _ continuation: Continuation, _ purpose: String, life: Int
    ) throws(Rejection) -> String {
        var continuation = continuation
        continuation.expires = now().addingTimeInterval(TimeInterval(life))
        guard let plain = try? JSONEncoder().encode(continuation) else { throw .internalError }
        return Base64URL.encode(box.seal(Array(plain), purpose: purpose))
    }

    /// Nil for a text that this server did not make.
    private func opened(_ text: Substring, _ purpose: String) throws(Rejection) -> Continuation? {
        guard text.utf8.count <= Self.longest, let sealed = Base64URL.decode(text),
            let plain = try? box.open(sealed, purpose: purpose),
            let continuation = try? JSONDecoder().decode(Continuation.self, from: Data(plain))
        else { return nil }
        guard continuation.expires > now() else { throw .flowExpired }
        return continuation
    }
}
