import Accounts
import Cryptography
import Foundation
import JSON

/// A sign-in that takes more than one step: what is kept of it between two answers.
///
/// Version 1 of the stored form; the first form is written by `reach_session` or by the flow's opener.
struct SignInFlow: Sendable, Equatable {
    /// How the person came in: a provider's id, `password`, `email_otp`, …: the token's `idp`.
    var provider: String
    var proofs: Proofs
    /// What waits for an answer; nil until the first step was opened.
    var step: (any FlowStep)?
    /// What was typed to begin with.
    var name: String?
    /// What the person may prove first, where there was a choice.
    var firstFactors: [FirstFactor] = []
    /// Of messages.
    var language: String
    var identity: UUID?
    var linkFlow: UUID?
    /// The session that is being stepped up.
    var session: UUID?
    /// When that session ends at the latest: so does the one that takes its place.
    var sessionEnds: Date?
    var isNewAccount = false
    /// When the person last proved something that the account had before, in whole seconds; nil before the first proof.
    var provedAt: Date?
    /// The hash of a password that was chosen in this flow; it counts once the flow is through.
    var newPassword: String?
    /// The person wants this device to be remembered.
    var remembersDevice = false
    /// Where guesses are counted, in hexadecimal digits.
    var guessBucket: String

    /// Whoever typed a user name did not type where messages go.
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
