import Foundation
import JSON
import Sessions
import Vocabulary

/// A pending sign-in as its row keeps it.
///
/// Columns keep the proofs, and where the flow comes from: no answer changes that. The facts are JSON; SQL reads some of
/// them and writes none. The progress is sealed.
struct SignInFlow: Sendable {
    /// The sign-in method, `idp` of the token: a provider's id, `password`, `email_otp`.
    var provider: String
    var proofs = Proofs()
    /// The typed name.
    var name: String?
    /// The address of the caller who began the flow with a name; its network has tries of its own.
    var from: String?
    /// The language of messages.
    var language: String
    var identity: UUID?
    var linkFlow: UUID?
    /// The session of a step-up.
    var session: UUID?
    var isNewAccount = false
    /// A step-up without a second factor: any dated proof takes the place of a provider's answer of unknown age.
    var renews = false
    /// The second factor that the app wishes.
    var wish: SecondFactorWish?
    /// The time of the last proof by a factor that the account had before, in whole seconds; nil before the first proof.
    var provedAt: Date?
    /// The bucket of guesses, in hexadecimal digits; nil for the account's bucket of second factors.
    var guessBucket: String?
    /// The budget of a password step; nil for other steps.
    var guess: PasswordGuess?
    var progress = FlowProgress()

    /// The seconds until the code of the pending step may be sent again.
    var resendWait: Int { progress.step?.resendWait ?? FlowService.resendWait }

    /// Whether the typed name is a user name, so that the address of messages stays secret.
    var beginsWithUserName: Bool { name.flatMap(SignInName.init)?.kind == .userName }
}

/// Version 1 of the facts.
extension SignInFlow {
    var facts: JSON {
        var object: JSONObject = [
            "version": 1, "provider": .string(provider), "language": .string(language),
        ]
        object["guess_bucket"] = guessBucket.map(JSON.string)
        object["name"] = name.map(JSON.string)
        object["wish"] = (wish?.rawValue).map(JSON.string)
        object["from"] = from.map(JSON.string)
        object["guess"] = guess?.json
        object["proved_at"] = provedAt.map { .integer(Int($0.timeIntervalSince1970)) }
        return .object(object)
    }

    init?(facts: JSON, _ progress: FlowProgress) {
        guard facts["version"]?.integer == 1, let provider = facts["provider"]?.string,
            let language = facts["language"]?.string
        else { return nil }
        (self.provider, self.language, self.progress) = (provider, language, progress)
        guessBucket = facts["guess_bucket"]?.string
        name = facts["name"]?.string
        wish = facts["wish"]?.string.flatMap(SecondFactorWish.init)
        from = facts["from"]?.string
        guess = facts["guess"].flatMap(PasswordGuess.init)
        provedAt = facts["proved_at"]?.integer.map { Date(timeIntervalSince1970: TimeInterval($0)) }
    }
}
