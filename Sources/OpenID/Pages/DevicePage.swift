import Pages

/// The question whether a device may sign in: what it is, where it asked, what it gets.
struct DevicePage: Page {
    let clientName: String
    /// The code, to be compared with the device once more.
    let code: String
    let accountName: String
    /// How many seconds ago the device asked; in words once it is masked.
    let age: String
    /// The network address of the device.
    let address: String
    /// The device in our own words, because it says itself what it is; nil for one that they don't fit.
    let device: String?
    /// The raw values of ``TokenScope``.
    let scopes: [String]
    let resources: [ConsentPage.Resource]
    let hidden: [HiddenField]
    let otherAddress: String

    static let template = "device"

    func masked(by mask: inout TextMask) -> DevicePage {
        DevicePage(
            clientName: mask.shown(clientName), code: mask.shown(code), accountName: mask.shown(accountName),
            age: mask.shown(mask.words.duration(seconds: age)), address: mask.shown(address),
            device: mask.shown(ifAny: device), scopes: scopes,
            resources: resources.map { $0.masked(by: &mask) }, hidden: mask.fields(hidden),
            otherAddress: mask.address(otherAddress))
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "device.heading", client: clientName, problem: nil)
        values["lead"] = words.sentence("device.lead", ["client": clientName])
        values["account"] = words.sentence("consent.account", ["name": accountName])
        values["code"] = code
        values["place"] = words.sentence("device.place", ["time": age, "address": address])
        values["device"] = device.map { ["sentence": words.sentence("device.kind", ["device": $0])] }
        values.merge(ConsentPage.choices(scopes, resources, in: words)) { _, new in new }
        values["hidden"] = hidden.map(\.values)
        values["other_address"] = otherAddress
        return values
    }
}
