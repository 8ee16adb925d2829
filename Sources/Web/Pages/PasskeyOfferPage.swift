import Pages

/// The offer of a passkey after a sign-in with a password; "Not now" goes on without one.
struct PasskeyOfferPage: Sendable, Hashable {
    /// The field by which the page's script says that this device can hold a passkey.
    static let field = "passkey_possible"

    let clientName: String
    /// With the flow of the passkey.
    let hidden: [HiddenField]
    /// Options for the browser (WebAuthn Level 3 §5.1.9), as JSON.
    let options: String
    let problem: PageProblem?
}

extension PasskeyOfferPage: Page {
    static let template = "passkey_offer"

    func masked(by mask: inout TextMask) -> PasskeyOfferPage {
        PasskeyOfferPage(
            clientName: mask.shown(clientName), hidden: mask.fields(hidden), options: mask.exact(options),
            problem: problem.map { $0.masked(by: &mask) })
    }

    func values(in words: Words) -> [String: Any] {
        var values = words.card(heading: "passkey.offer", client: clientName, problem: problem)
        values["hidden"] = hidden.map(\.values)
        values["options"] = options
        values["needs_passkey_script"] = true
        return values
    }
}
