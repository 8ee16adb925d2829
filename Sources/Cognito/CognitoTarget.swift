import Foundation
import Sessions
import SignIn

/// The level of authentication that an app asks for: `TARGET_ACR_VALUES` and `MAX_AGE` of `USER_AUTH`.
struct CognitoTarget: Equatable, Sendable {
    /// The known levels, as the app orders them: the best one first.
    let levels: [CognitoLevel]
    /// The greatest age of an earlier proof, in seconds; nil for any.
    let maximumAge: Int?

    /// The effect of an access token beside the request.
    enum Course: Equatable, Sendable {
        /// The session gets the missing factor.
        case raise
        /// The sign-in begins from scratch.
        case fresh
    }

    /// Nil without a target.
    ///
    /// - Throws: ``CognitoError`` where no value is a level, for an age that is no number, and for an access token alone.
    init?(_ parameters: CognitoTexts) throws(CognitoError) {
        let age = parameters["MAX_AGE"]
        maximumAge = age.flatMap { Int($0) }
        guard age == nil || (maximumAge ?? -1) >= 0 else { throw .invalid("Invalid parameter MAX_AGE.") }
        guard let values = parameters["TARGET_ACR_VALUES"] else {
            guard parameters["ACCESS_TOKEN"] == nil else { throw .missing("TARGET_ACR_VALUES") }
            return nil
        }
        levels = values.split(separator: " ").compactMap { CognitoLevel(uri: $0) }
        guard !levels.isEmpty else { throw .invalid("Invalid parameter TARGET_ACR_VALUES.") }
    }

    /// The second factor that leads to the best level.
    var wish: SecondFactorWish? {
        switch levels.first {
        case .authenticatorApp: .totp
        case .strong: .any
        case .code, .password, nil: nil
        }
    }

    /// The offered challenges that can lead to the best level, or to the next one; all where none does.
    func narrowed(_ offered: [CognitoChallenge.Name]) -> [CognitoChallenge.Name] {
        levels.lazy.map { level in offered.filter { level.begins(with: $0) } }.first { !$0.isEmpty } ?? offered
    }

    /// How a session gets to the target.
    ///
    /// Only a session that began with a password lacks nothing but a second factor.
    ///
    /// - Throws: ``CognitoError`` for a session that has the best level: this is no refresh.
    func course(from proofs: Proofs, provedAt: Date, at now: Date) throws(CognitoError) -> Course {
        if let maximumAge, now.timeIntervalSince(provedAt) > TimeInterval(maximumAge) { return .fresh }
        if let reached = proofs.cognitoLevel, let best = levels.first, reached >= best {
            throw .invalid("The access token has the requested level already.")
        }
        return wish != nil && proofs.list.first?.kind == .password ? .raise : .fresh
    }
}

extension CognitoLevel {
    /// Whether a sign-in that begins with this challenge can reach the level.
    fileprivate func begins(with challenge: CognitoChallenge.Name) -> Bool {
        let isPassword = challenge == .password || challenge == .passwordSRP
        switch self {
        case .authenticatorApp: return isPassword
        case .code: return !isPassword
        // With the password after a code, too.
        case .strong, .password: return true
        }
    }
}
