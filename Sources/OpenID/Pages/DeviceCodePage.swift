import Pages

/// The field for the code that a device shows.
struct DeviceCodePage: Page {
    /// The app of the browser's session.
    let clientName: String
    let accountName: String
    /// As typed, or from the address.
    let code: String
    let hidden: [HiddenField]
    let otherAddress: String
    let problem: PageProblem?

    static let template = "device_code"

    func masked(by mask: inout TextMask) -> DeviceCodePage {
        DeviceCodePage(
            clientName: mask.shown(clientName), accountName: mask.shown(accountName), code: mask.exact(code),
            hidden: mask.fields(hidden), otherAddress: mask.address(otherAddress),
            problem: problem?.masked(by: &mask))
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(
            heading: "device.code_heading", client: clientName, problem: problem, fields: [.code])
        values["account"] = words.sentence("consent.account", ["name": accountName])
        values["code"] = code
        values["is_code_empty"] = code.isEmpty
        values["hidden"] = hidden.map(\.values)
        values["other_address"] = otherAddress
        return values
    }
}
