import Accounts
import Cryptography
import Foundation
import JSON

/// The stored state of a pending sign-in.
///
/// Version 1 of the stored form; the first form is written by `reach_session` or by the flow's opener.
struct SignInFlow: Sendable, Equatable {
    /// The sign-in method, `idp` of the token: a provider's id, `password`, `email_otp`.
    var provider: String
    var proofs: Proofs
    /// The pending step; nil before the first one.
    var step: (any FlowStep)?
    /// The typed name.
    var name: String?
    /// The first factors that were offered.
    var firstFactors: [FirstFactor] = []
    /// The language of messages.
    var language: String
    var identity: UUID?
    var linkFlow: UUID?
    /// The session of a step-up.
    var session: UUID?
    /// The latest end of that session, and of its replacement.
    var sessionEnds: Date?
    var isNewAccount = false
    /// The time of the last proof by a factor that the account had before, in whole seconds; nil before the first proof.
    var provedAt: Date?
    /// The hash of a password that was chosen in this flow; it counts at the end.
    var newPassword: String?
    /// Whether this device is to be remembered.
    var remembersDevice = false
    /// The bucket of guesses, in hexadecimal digits.
    var guessBucket: String

    /// Whether the typed name is a user name, so that the address of messages stays secret.
    var beginsWithUserName: Bool { name.flatMap(SignInName.init)?.kind == .userName }

    var json: JSON {
        var object: JSONObject = [
            "version": 1, "provider": .string(provider), "proofs": proofs.json, "language": .string(language),
            "guess_bucket": .string(guessBucket), "new_account": .bool(isNewAccount),
            "remember": .bool(remembersDevice),
        ]
        object["step"] = step.map { .object($0.storedWithKind) }
        object["name"] = name.map(JSON.string)
        if !firstFactors.isEmpty { object["first_factors"] = .array(firstFactors.map { .string($0.rawValue) }) }
        object["identity"] = identity.map { .string($0.text) }
        object["link_flow"] = linkFlow.map { .string($0.text) }
        object["session"] = session.map { .string($0.text) }
        object["session_ends"] = sessionEnds.map { .integer(Int($0.timeIntervalSince1970)) }
        object["new_password"] = newPassword.map(JSON.string)
        object["proved_at"] = provedAt.map { .integer(Int($0.timeIntervalSince1970)) }
        return .object(object)
    }

    static func == (left: SignInFlow, right: SignInFlow) -> Bool { left.json == right.json }
}

extension SignInFlow {
    init?(_ json: JSON) {
        guard json["version"]?.integer == 1, let provider = json["provider"]?.string,
            let language = json["language"]?.string, let bucket = json["guess_bucket"]?.string
        else { return nil }
        (self.provider, self.language, guessBucket) = (provider, language, bucket)
        proofs = Proofs(json["proofs"])
        step = json["step"]?.object.flatMap(FlowSteps.step)
        name = json["name"]?.string
        firstFactors = (json["first_factors"]?.array ?? []).compactMap { $0.string.flatMap(FirstFactor.init) }
        identity = json["identity"]?.string.flatMap(UUID.init(text:))
        linkFlow = json["link_flow"]?.string.flatMap(UUID.init(text:))
        session = json["session"]?.string.flatMap(UUID.init(text:))
        sessionEnds = json["session_ends"]?.integer.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        isNewAccount = json["new_account"]?.bool ?? false
        newPassword = json["new_password"]?.string
        provedAt = json["proved_at"]?.integer.map { Date(timeIntervalSince1970: TimeInterval($0)) }
        remembersDevice = json["remember"]?.bool ?? false
    }
}
