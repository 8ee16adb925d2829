import Admin
import Hummingbird
import JSON

/// What a posted form of settings is good for.
struct FormVerdict: Sendable {
    /// Something in it can't be.
    let isWrong: Bool
    /// It leaves everything as it is.
    let isSame: Bool

    static let shown = "shown"

    /// What the form of a confirmation carries beside the settings.
    static func confirming(_ fingerprint: String) -> [HiddenField] {
        [HiddenField(name: "confirmed", value: "1"), HiddenField(name: shown, value: fingerprint)]
    }

    /// What the form of a deed carries that must not be done twice: another value whenever it is shown.
    static func once() -> HiddenField {
        HiddenField(name: "once", value: FormOnce().text)
    }
}

extension ConsoleVisit {
    /// What ``FormVerdict/once()`` put into the form.
    var once: FormOnce { FormOnce(sent: fields["once"]) }
}

extension ConsoleDoor {
    /// Why somebody changes what they were shown.
    ///
    /// - Throws: `accountsChanged` where it has changed since: to confirm it would take another operator's change back
    ///   unseen.
    func reason(for deed: AdminAction, toChange shown: JSONObject, _ visit: ConsoleVisit) async throws -> Reason {
        let reason = try visit.reason()
        try await services.operators.check(deed, of: [], by: visit.actor)
        guard visit.fields[FormVerdict.shown] == Fingerprint.of(shown) else { throw AdminRefusal.accountsChanged }
        return reason
    }

    /// What a posted form of settings is answered with before anything is changed.
    ///
    /// - Parameters:
    ///   - confirm: what would be different, to be confirmed.
    ///   - again: the form once more, with what was the matter.
    /// - Returns: nil where there is nothing left to ask: all was confirmed.
    func asked(
        _ deed: AdminAction, _ verdict: FormVerdict, _ visit: ConsoleVisit, confirm: () -> some ConsolePage,
        again: (ConsoleRefusal) async throws -> some ConsolePage
    ) async throws -> Response? {
        let isFit = !verdict.isWrong && !verdict.isSame
        guard !isFit || visit.fields["confirmed"] == nil else { return nil }
        try await Self.naming(deed) { try await services.operators.check(deed, of: [], by: visit.actor) }
        if isFit { return show(confirm(), visit.call) }
        let refusal = ConsoleRefusal(code: verdict.isWrong ? "invalid_request" : "nothing_to_change")
        web.record(deed.rawValue, WebRefusal(code: refusal.code), visit.call)
        let status = ErrorCatalogue[refusal.code]?.status ?? .badRequest
        return show(try await again(refusal), visit.call, status: status)
    }
}
