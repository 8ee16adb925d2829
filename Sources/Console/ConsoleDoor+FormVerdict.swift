import AdminHTTP
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Operators
import Pages

/// The result of checking a posted settings form.
struct FormVerdict: Sendable {
    /// The invalid fields.
    let wrong: [ClientMistake]
    /// Whether the form changes nothing.
    let isSame: Bool

    static let shown = "shown"

    /// The hidden fields that a confirmation adds to the settings.
    static func confirming(_ fingerprint: String) -> [HiddenField] {
        [HiddenField(name: "confirmed", value: "1"), HiddenField(name: shown, value: fingerprint)]
    }

    /// A hidden field that prevents a second execution; its value differs on each page view.
    static func once() -> HiddenField {
        HiddenField(name: "once", value: FormOnce().text)
    }
}

extension ConsoleVisit {
    /// The posted value of ``FormVerdict/once()``.
    var once: Once { .form(FormOnce(sent: fields["once"])) }
}

extension ConsoleDoor {
    /// The operator's reason for changing the displayed settings.
    ///
    /// - Throws: `accountsChanged` after another change. A confirmation would otherwise reverse another operator's
    ///   change unseen.
    func reason(for action: AdminAction, toChange shown: JSONObject, _ visit: ConsoleVisit) async throws -> Reason {
        let reason = try visit.reason()
        try await services.operators.check(action, of: [], by: visit.actor)
        guard visit.fields[FormVerdict.shown] == Fingerprint.of(shown) else { throw AdminRefusal.accountsChanged }
        return reason
    }

    /// The page that answers a posted settings form before the change.
    ///
    /// - Parameters:
    ///   - confirm: the differences, for confirmation.
    ///   - again: the form again, with its mistakes.
    /// - Returns: nil if the operator confirmed everything.
    func asked(
        _ action: AdminAction, _ verdict: FormVerdict, _ visit: ConsoleVisit, confirm: () -> some ConsolePage,
        again: (ConsoleRefusal) async throws -> some ConsolePage
    ) async throws -> Response? {
        let isFit = verdict.wrong.isEmpty && !verdict.isSame
        guard !isFit || visit.fields["confirmed"] == nil else { return nil }
        guard isFit else {
            let code = verdict.wrong.isEmpty ? "nothing_to_change" : "invalid_request"
            return try await self.again(code, verdict.wrong, action, visit, page: again)
        }
        try await Self.naming(action) { try await services.operators.check(action, of: [], by: visit.actor) }
        return show(confirm(), visit.call)
    }

    /// The form again, after a refusal that the operator can correct.
    ///
    /// - Parameter wrong: the invalid fields, which the audit row names without their values.
    func again(
        _ code: String, _ wrong: [ClientMistake], _ action: AdminAction, _ visit: ConsoleVisit,
        page: (ConsoleRefusal) async throws -> some ConsolePage
    ) async throws -> Response {
        try await Self.naming(action) { try await services.operators.check(action, of: [], by: visit.actor) }
        web.log.refused(code, detail: wrong.map(\.item).auditDetail, as: action.rawValue, visit.call.logged)
        let status = ErrorCatalogue[code]?.status ?? .badRequest
        return show(try await page(ConsoleRefusal(code: code)), visit.call, status: status)
    }

    /// The wrong parts of a refused request, for the audit log.
    static func wrongParts(_ error: any Error) -> String? {
        switch error {
        case let refusal as AdminRefusal: Problem(refusal).errors.auditDetail
        // The operator's reason alone has refusals of the console's own.
        case let refusal as ConsoleRefusal: ConsoleVisit.wrongReason(refusal).flatMap { [$0].auditDetail }
        default: nil
        }
    }
}
