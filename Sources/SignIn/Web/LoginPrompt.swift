package import Vocabulary

/// What an app asks of the sign-in page (`prompt`, OpenID Connect Core §3.1.2.1).
package enum LoginPrompt: String, CaseIterable, Sendable {
    /// An answer at once, without a page.
    case silent = "none"
    /// A new proof, even with a session.
    case anew = "login"
    /// A choice of the account: the same, because a provider that is not asked anew chooses the former account.
    case choosing = "select_account"
    /// A new consent; only `/authorize` asks for consents.
    case consent
    /// The sign-up (Initiating User Registration via OpenID Connect 1.0 §4.1).
    case signUp = "create"

    /// - Throws: `invalidField` for another word, and for `none` beside one.
    package static func all(_ text: String?) throws(Rejection) -> Set<LoginPrompt> {
        let words = (text ?? "").words.map(LoginPrompt.init(rawValue:))
        let prompts = Set(words.compactMap(\.self))
        guard !words.contains(nil), prompts.count <= 1 || !prompts.contains(.silent) else {
            throw .invalidField(.prompt, .unknown.accepting(allCases.map(\.rawValue)))
        }
        return prompts
    }
}

extension Set<LoginPrompt> {
    /// Whether an existing session is no answer.
    package var asksAnew: Bool { contains(.anew) || contains(.choosing) }
}
