import JSON
import Testing

@testable import Clients

@Suite("The brand of an app")
struct ClientBrandTests {
    @Test("Its members come back as they were, colours in lower case")
    func members() throws {
        let sent: JSONObject = [
            "logo_url": "https://ducks.org/logo.svg?v=2", "logo_dark_url": "https://ducks.org/dark.svg",
            "accent": "#1B6E3C", "accent_dark": "#7EE0A4", "terms_url": "https://ducks.org/terms",
            "privacy_url": "https://ducks.org/privacy", "support_url": "mailto:help@ducks.org",
        ]
        var expected = sent
        (expected["accent"], expected["accent_dark"]) = ("#1b6e3c", "#7ee0a4")
        #expect(try ClientBrand(parsing: sent)?.json == .object(expected))
    }

    @Test("Without a value there is no brand", arguments: [[:], ["accent": .null], ["terms_url": ""]] as [JSONObject])
    func none(sent: JSONObject) throws {
        #expect(try ClientBrand(parsing: sent) == nil)
    }

    @Test(
        "An invalid member is named, with the reason",
        arguments: [
            ("colour", "#000000", "unknown_member"), ("accent", "red", "must_be_colour"),
            ("accent", "#12345", "must_be_colour"), ("accent", "#+12345", "must_be_colour"),
            ("accent", "#ffd400", "contrast_too_low"), ("accent", 7, "must_be_text"),
            ("logo_url", "http://ducks.org/logo.svg", "malformed"),
            ("logo_url", "data:image/png;base64,AAAA", "malformed"),
            ("logo_url", "https://ducks.org/a;b", "malformed"),
            ("logo_url", "https://ducks.org/a, https://b", "malformed"),
            ("logo_url", "https:///logo.svg", "malformed"), ("logo_url", "https://*/logo.svg", "malformed"),
            ("logo_url", "https://*.ducks.org/logo.svg", "malformed"), ("home_url", "https://-ducks.org/", "malformed"),
            ("terms_url", "https://ducks..org/", "malformed"), ("logo_url", "https://ducks.org:0/a", "malformed"),
            ("logo_url", "https://user@ducks.org/a", "malformed"),
            ("terms_url", "javascript:alert(1)", "malformed"), ("privacy_url", "mailto:a@b.org", "malformed"),
            ("support_url", "mailto:", "malformed"), ("support_url", "https://ducks.org/\"onclick", "malformed"),
        ] as [(String, JSON, String)])
    func invalid(member: String, value: JSON, reason: String) {
        let fault = #expect(throws: ClientBrand.Fault.self) { _ = try ClientBrand(parsing: [member: value]) }
        #expect(fault?.member == member && fault?.reason == reason)
        #expect(fault?.accepted == (reason == "unknown_member" ? ClientBrand.members : []))
    }

    @Test("A variant for dark pages needs the one for light pages")
    func dark() {
        #expect(throws: ClientBrand.Fault(member: "logo_url", reason: "required")) {
            _ = try ClientBrand(parsing: ["logo_dark_url": "https://ducks.org/dark.svg"])
        }
        #expect(throws: ClientBrand.Fault(member: "accent", reason: "required")) {
            _ = try ClientBrand(parsing: ["accent_dark": "#7ee0a4"])
        }
        #expect(throws: ClientBrand.Fault(member: "accent_dark", reason: "contrast_too_low")) {
            _ = try ClientBrand(parsing: ["accent": "#1b6e3c", "accent_dark": "#1b6e3c"])
        }
    }
}

@Suite("Contrast of colours")
struct AccentColourTests {
    @Test("It is that of WCAG 2.2")
    func contrast() throws {
        #expect(AccentColour.black.contrast(with: .white) == 21)
        #expect(AccentColour.white.contrast(with: .white) == 1)
        // Published examples: #767676 is the lightest grey with 4.5 on white, #777777 just misses it.
        #expect(try #require(AccentColour("#767676")).contrast(with: .white) >= 4.5)
        #expect(try #require(AccentColour("#777777")).contrast(with: .white) < 4.5)
    }

    @Test("Text on any colour, and any colour on dark pages, is readable")
    func readable() {
        for value in stride(from: 0, through: 0xFF_FFFF, by: 4_099) {
            let colour = AccentColour(
                red: UInt8(value >> 16), green: UInt8(value >> 8 & 255), blue: UInt8(value & 255))
            #expect(colour.contrast(with: colour.textColour) >= 4.5, "\(colour.text)")
            #expect(colour.forDarkGround.contrast(with: ClientBrand.darkGround) >= 4.5, "\(colour.text)")
        }
    }

    @Test("The advice on a refused colour is readable, and no step nearer to it is")
    func advice() throws {
        for (text, member, ground, end) in [
            ("#e4007f", "accent", ClientBrand.lightGround, AccentColour.black),
            ("#ffd400", "accent", ClientBrand.lightGround, .black),
            ("#1b2e6c", "accent_dark", ClientBrand.darkGround, .white),
        ] {
            let colour = try #require(AccentColour(text))
            let advice = try #require(ClientBrand.advice(on: text, as: member))
            #expect(advice.contrast == colour.contrast(with: ground))
            #expect(advice.nearest.contrast(with: ground) >= 4.5)
            let share = try #require(
                (0...100).map { Double($0) / 100 }.first { colour.mixed(with: end, share: $0) == advice.nearest })
            #expect(share == 0 || colour.mixed(with: end, share: share - 0.01).contrast(with: ground) < 4.5, "\(text)")
        }
        #expect(ClientBrand.advice(on: "pink", as: "accent") == nil)
    }
}
