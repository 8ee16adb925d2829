import Pages

extension RecoveryCodesPage: Page {
    static let template = "recovery_codes"

    func masked(by mask: inout TextMask) -> RecoveryCodesPage {
        RecoveryCodesPage(
            clientName: mask.shown(clientName), codes: codes.map { mask.exact($0) }, hidden: mask.fields(hidden),
            onwardAddress: onwardAddress.map { mask.address($0) }, problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "recovery.heading", client: clientName, problem: problem)
        values["codes"] = codes
        values["hidden"] = hidden.map(\.values)
        values["onward_address"] = onwardAddress
        return values
    }
}
