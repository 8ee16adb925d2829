import Accounts
import Clients
package import Pages

/// The messages of the hosted pages whose keys code composes.
extension Messages {
    private static let keys = Set(
        ProblemCode.allCases.map { "problem.\($0.rawValue)" } + NoticeCode.allCases.map { "notice.\($0.rawValue)" }
            + ActionKey.allCases.map { "action.\($0.rawValue)" }
            + AccountNotice.allCases.map { "account.done.\($0.rawValue)" })

    /// The groups that are shown whole: a step, a choice, field labels.
    private static let parts =
        StepPage.Kind.allCases.flatMap { ["step.\($0.rawValue).heading", "step.\($0.rawValue).lead"] }
        + ChoiceKind.allCases.map { "choice.\($0.rawValue)" } + SignInNames.labels
        + SignInNames.Kind.allCases.map { "sign_up.with_\($0.rawValue)" }
        + KnownAttribute.allCases.map { "attribute.\($0.rawValue)" }
        + AccountEvent.Kind.allCases.map { "account.event.\($0.rawValue)" }
        + AccountPage.Event.ofPasskey.values.map { "account.event.\($0)" }
        + TokenDialect.allCases.filter { $0 != .gateway }.map { "account.through.\($0.rawValue)" }
        + AccountEvent.Author.allCases.filter { $0 != .person }.map { "account.by_\($0.rawValue)" }

    /// The page messages with keys from Swift codes; the console's are in `ConsoleWords`.
    package static let promised =
        keys.filter { !$0.hasPrefix("notice.") }.union(
            NoticeCode.allCases.flatMap { ["notice.\($0.rawValue).title", "notice.\($0.rawValue).text"] } + parts)
}
