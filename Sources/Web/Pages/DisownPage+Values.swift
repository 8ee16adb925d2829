import Pages

extension DisownPage: Page {
    static let template = "disown"

    func masked(by mask: inout TextMask) -> DisownPage {
        DisownPage(
            clientName: mask.shown(clientName), at: mask.moment(at),
            device: mask.shown(device ?? mask.words.text("account.unnamed_device")),
            address: mask.shown(ifAny: address), hasPassword: hasPassword, hidden: mask.fields(hidden))
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "disown.heading", client: clientName, problem: nil)
        values["moment"] = at
        values["needs_times_script"] = true
        values["client_name"] = clientName
        values["device_name"] = device
        values["network_address"] = address
        values["next"] = words.text(hasPassword ? "disown.password" : "disown.no_password")
        values["hidden"] = hidden.map(\.values)
        return values
    }
}
