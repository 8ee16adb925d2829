package import JSON
import Providers

/// The operator's identity on the pages and in the messages of one app.
package struct ClientBrand: Sendable, Hashable {
    /// An https address of an image; nil for the gateway's own mark.
    package let logo: String?
    /// The logo on a dark ground; nil for ``logo``.
    package let darkLogo: String?
    /// The colour of buttons and links on a light ground.
    package let accent: AccentColour?
    /// The same on a dark ground; nil for a lighter ``accent``.
    package let darkAccent: AccentColour?
    package let terms: String?
    package let privacy: String?
    /// An https or mailto address.
    package let support: String?
    /// The app's own address, for the way back from the account page.
    package let home: String?
    /// The sender of mails, and the name of the service in messages; nil for the app's own name.
    package let senderName: String?

    /// The grounds of the pages: text in the accent colour must be readable on them.
    static let lightGround = AccentColour(red: 0xF3, green: 0xF5, blue: 0xF8)
    package static let darkGround = AccentColour(red: 0x22, green: 0x28, blue: 0x31)

    /// An invalid member of a brand.
    package struct Fault: Error, Equatable {
        package let member: String
        /// The reason, such as `malformed`.
        package let reason: String
        /// The members that a brand accepts, for the refusal of an unknown member.
        let accepted: [String]

        init(member: String, reason: String, accepted: [String] = []) {
            (self.member, self.reason, self.accepted) = (member, reason, accepted)
        }
    }

    /// The members of a brand, each an absent, null or text value.
    package static let members = [
        "logo_url", "logo_dark_url", "accent", "accent_dark", "terms_url", "privacy_url", "support_url",
        "home_url", "sender_name",
    ]

    /// Parses the members of a brand; nil if all are absent.
    package init?(parsing json: JSONObject) throws(Fault) {
        for member in json.members where !Self.members.contains(member.name) {
            throw Fault(member: member.name, reason: "unknown_member", accepted: Self.members)
        }
        logo = try Self.address("logo_url", json)
        darkLogo = try Self.address("logo_dark_url", json)
        accent = try Self.colour("accent", json, on: Self.lightGround)
        darkAccent = try Self.colour("accent_dark", json, on: Self.darkGround)
        terms = try Self.address("terms_url", json)
        privacy = try Self.address("privacy_url", json)
        support = try Self.address("support_url", json, allowsMail: true)
        home = try Self.address("home_url", json)
        senderName = try Self.name("sender_name", json)
        if darkLogo != nil, logo == nil { throw Fault(member: "logo_url", reason: "required") }
        if darkAccent != nil, accent == nil { throw Fault(member: "accent", reason: "required") }
        guard [logo, terms, privacy, support, home, senderName].contains(where: { $0 != nil }) || accent != nil else {
            return nil
        }
    }

    /// Parses as many members as possible, and finds every fault.
    package static func checked(_ sent: JSONObject) -> (brand: ClientBrand?, faults: [Fault]) {
        var (members, faults) = (sent, [Fault]())
        while true {
            do throws(Fault) {
                return (try ClientBrand(parsing: members), faults)
            } catch {
                faults.append(error)
                // The dark variant is removed too: it needs the light one.
                for member in [error.member, darkVariants[error.member]] {
                    if let member { members[member] = nil }
                }
            }
        }
    }

    private static let darkVariants = ["logo_url": "logo_dark_url", "accent": "accent_dark"]

    /// The members that are present.
    package var json: JSON {
        var json: JSONObject = [:]
        let values = [logo, darkLogo, accent?.text, darkAccent?.text, terms, privacy, support, home, senderName]
        for (member, value) in zip(Self.members, values) where value != nil { json[member] = value.map(JSON.string) }
        return .object(json)
    }

    private static func text(_ member: String, _ json: JSONObject) throws(Fault) -> String? {
        guard let value = json[member], !value.isNull else { return nil }
        guard let text = value.string else { throw Fault(member: member, reason: "must_be_text") }
        return text.isEmpty ? nil : text
    }

    private static func address(
        _ member: String, _ json: JSONObject, allowsMail: Bool = false
    ) throws(Fault) -> String? {
        guard let text = try text(member, json) else { return nil }
        guard BrandAddress.isValid(text, allowsMail: allowsMail) else {
            throw Fault(member: member, reason: "malformed")
        }
        return text
    }

    /// A name that fits into one line of a mail's header.
    private static func name(_ member: String, _ json: JSONObject) throws(Fault) -> String? {
        guard let text = try text(member, json) else { return nil }
        guard text.count <= longestName, text.unicodeScalars.allSatisfy(\.isShownInLine),
            text.contains(where: { $0 != " " })
        else { throw Fault(member: member, reason: "malformed") }
        return text
    }

    private static let longestName = 100

    /// A colour that is readable on the pages' ground.
    private static func colour(
        _ member: String, _ json: JSONObject, on ground: AccentColour
    ) throws(Fault) -> AccentColour? {
        guard let text = try text(member, json) else { return nil }
        guard let colour = AccentColour(text) else { throw Fault(member: member, reason: "must_be_colour") }
        guard colour.contrast(with: ground) >= AccentColour.leastContrast else {
            throw Fault(member: member, reason: "contrast_too_low")
        }
        return colour
    }
}

extension ClientBrand {
    /// The contrast of a colour with too little of it, and the nearest readable colour.
    ///
    /// - Parameter member: `accent` or `accent_dark`.
    /// - Returns: nil for a text that is no colour.
    package static func advice(on text: String, as member: String) -> (contrast: Double, nearest: AccentColour)? {
        let ground = member == "accent_dark" ? darkGround : lightGround
        return AccentColour(text).map { ($0.contrast(with: ground), $0.readable(on: ground)) }
    }
}

extension AccentColour {
    /// The same hue, lightened until it is readable on the pages' dark ground.
    package var forDarkGround: AccentColour { readable(on: ClientBrand.darkGround, step: 0.05) }

    /// The nearest colour of the same hue that is readable on a ground: darker on a light one, lighter on a dark one.
    func readable(on ground: AccentColour, step: Double = 0.01) -> AccentColour {
        let end = ground.textColour
        let shares = stride(from: 0.0, through: 1.0, by: step)
        return shares.lazy.map { mixed(with: end, share: $0) }
            .first { $0.contrast(with: ground) >= AccentColour.leastContrast } ?? end
    }
}
