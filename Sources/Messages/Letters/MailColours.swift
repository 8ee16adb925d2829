import Clients

/// The colours of a mail, on a light and on a dark ground.
struct MailColours: Sendable, Equatable {
    let ground: String
    let card: String
    let line: String
    let text: String
    let quiet: String
    /// The brand's colour, for the name, the code and the button.
    let accent: AccentColour

    static func light(_ brand: ClientBrand?) -> MailColours {
        MailColours(
            ground: "#f3f5f8", card: "#ffffff", line: "#dfe3e9", text: "#151a21", quiet: "#566070",
            accent: brand?.accent ?? AccentColour(red: 0x24, green: 0x56, blue: 0xD6))
    }

    static func dark(_ brand: ClientBrand?) -> MailColours {
        MailColours(
            ground: "#0e1115", card: "#171b21", line: "#2b323b", text: "#eceff3", quiet: "#a4adba",
            accent: brand?.darkAccent ?? light(brand).accent.forDarkGround)
    }

    /// The rules of a mail program that shows dark grounds; the inline styles have the light colours.
    var overrides: String {
        [
            ".ground{background-color:\(ground)!important}",
            ".card{background-color:\(card)!important;border-color:\(line)!important}",
            ".text{color:\(text)!important}", ".quiet{color:\(quiet)!important}",
            ".accent{color:\(accent.text)!important}",
            ".button{background-color:\(accent.text)!important;color:\(accent.textColour.text)!important}",
            ".logo{background-color:#ffffff!important}",
        ].joined()
    }
}
