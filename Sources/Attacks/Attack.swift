/// One attack on a login server, as a stranger on the network can try it.
///
/// This module knows the gateway by its protocols alone: it imports nothing of the core, because it tries from outside.
/// A new attack is one value in the list of its subject.
package struct Attack: Sendable {
    /// The subjects, in the order of a run.
    package enum Subject: String, Sendable, CaseIterable {
        case tokens, headers, cookies, callbacks, smuggling, doors
        case openID = "openid"
        /// Wrong passwords for the test account come after its sign-ins.
        case enumeration
        /// The last subject: it uses up budgets.
        case throttles
    }

    /// The row of `docs/threat-model.md`.
    package let row: String
    package let subject: Subject
    /// What it tries; unique in the list.
    package let title: String
    /// Returns if the defence held.
    ///
    /// - Throws: ``Broken`` if it did not, ``NotTried`` if this attack does not apply here.
    let attempt: @Sendable (Target) async throws -> Void

    init(
        _ row: String, _ subject: Subject, _ title: String,
        _ attempt: @escaping @Sendable (Target) async throws -> Void
    ) {
        (self.row, self.subject, self.title, self.attempt) = (row, subject, title, attempt)
    }

    /// Every attack, in the order of a run.
    package static let all =
        tokens + headers + cookies + callbacks + smuggling + doors + openID + enumeration + throttles
}

/// The answer that shows that a defence does not hold.
struct Broken: Error {
    let evidence: String

    init(_ evidence: String) {
        self.evidence = evidence
    }
}

/// The reason why an attack was not tried.
package struct NotTried: Error {
    package let reason: String
    /// Whether no later attempt of this run can succeed.
    let isWrongArgument: Bool

    init(_ reason: String, isWrongArgument: Bool = false) {
        (self.reason, self.isWrongArgument) = (reason, isWrongArgument)
    }
}

/// The result of one attack.
package enum Verdict: Sendable, Equatable {
    case held
    case broken(evidence: String)
    case notTried(reason: String)

    /// The word for reports.
    package var word: String {
        switch self {
        case .held: "held"
        case .broken: "broken"
        case .notTried: "not tried"
        }
    }

    /// The evidence or the reason.
    package var detail: String? {
        switch self {
        case .held: nil
        case .broken(let text), .notTried(let text): text
        }
    }
}
