import Clients
import JSON
import Pages

/// The settings of an app in a form.
struct ClientFields: Sendable {
    static let policies = ["both_verified", "ask"]
    static let secondFactors = ["optional", "required"]
    static let rotations = ["always", "relaxed"]
    static let botChecks = BotCheckPolicy.allCases.map(\.rawValue)
    static let types = ["public", "confidential"]
    static let flags = ["guests", "custom_challenge", "foreign_nonces", "disabled"]
    /// In the order of the form; the label of each is the message `console.client.<it>`.
    static let names =
        [
            "name", "brand", "type", "origins", "redirect_uris", "providers", "sign_up_names", "attributes",
            "accepted_audiences", "audiences", "linking_policy", "second_factor", "guests", "custom_challenge",
            "foreign_nonces", "bot_check", "claims", "openid", "dialects",
        ]
        + lives + ["refresh_rotation", "disabled"]
    /// The permissions of an app's sessions besides its own API.
    static let audiences = Audience.allCases.map(\.rawValue)
    /// The fields of the settings with several members.
    static let parts = claims + brand + openID + dialects
    /// Those settings.
    private static let withParts = ["claims", "brand", "openid", "dialects"]
    /// The settings that are boxes, and the start of the boxes' field names.
    private static let boxes = ["providers": "provider_", "audiences": "audience_", "sign_up_names": "sign_up_name_"]
    /// The settings with one entry per line.
    private static let lists =
        ["origins", "redirect_uris", "accepted_audiences", "attributes"] + claimsLists + openIDLists

    /// One per line if there are several.
    private(set) var texts: [String: String]
    /// The ticked boxes.
    private(set) var chosen: [String: [String]]
    /// The names of the settings that are on.
    private(set) var flags: Set<String>

    var providers: [String] { chosen["providers"] ?? [] }
    var audiences: [String] { chosen["audiences"] ?? [] }
    var signUpNames: [String] { chosen["sign_up_names"] ?? [] }

    /// The defaults of a new app, as in the database.
    static let ofNew = ClientFields(Facts(.object(ClientDeclaration.defaults)))

    init(_ client: Facts) {
        texts = [
            "name": client["name"] ?? "", "type": client["type"] ?? "",
            "linking_policy": client["linking_policy"] ?? "",
            "bot_check": client["bot_check"] ?? "", "second_factor": client["second_factor"] ?? "",
            "refresh_rotation": client["refresh_rotation"] ?? "",
        ]
        for name in ["origins", "redirect_uris"] { texts[name] = client.names(name).joined(separator: "\n") }
        for name in Self.lives { texts[name] = "\(client.number(name))" }
        texts["accepted_audiences"] = Self.audienceLines(client.members["accepted_audiences"] ?? [:])
        texts["attributes"] = Self.attributeLines(client.list("attributes"))
        texts.merge(Self.claimsTexts(client.part("claims"))) { first, _ in first }
        texts.merge(Self.brandTexts(client.part("brand"))) { first, _ in first }
        texts.merge(Self.openIDTexts(client.part("openid"))) { first, _ in first }
        texts.merge(Self.dialectTexts(client.part("dialects"))) { first, _ in first }
        chosen = Dictionary(uniqueKeysWithValues: Self.boxes.keys.map { ($0, client.names($0)) })
        flags = Set(Self.flags.filter(client.flag))
    }

    /// - Parameters:
    ///   - fields: the submitted values; missing ones are empty.
    ///   - before: supplies the settings that the form does not have at all.
    init(form fields: [(name: String, value: String)], before: ClientFields) {
        func isSent(_ name: String) -> Bool { fields.contains { $0.name == name } }
        texts = [:]
        for name in Self.names + Self.parts { texts[name] = fields.first { $0.name == name }?.value ?? "" }
        for name in ["type", "accepted_audiences", "refresh_rotation", "bot_check", "attributes"] + Self.parts
        where !isSent(name) {
            texts[name] = before.texts[name]
        }
        for part in Self.boxesOfParts where isSent(part.sign) {
            for box in part.boxes where !isSent(box) { texts[box] = "" }
        }
        for name in Self.spans where isSent(name) {
            let unit = fields.first { $0.name == Self.unit(of: name) }?.value
            texts[name] = Self.seconds(texts[name] ?? "", unit: unit)
        }
        for name in Self.lists { texts[name] = Self.lines(texts[name] ?? "").joined(separator: "\n") }
        chosen = before.chosen
        // Unticked boxes are not submitted, so another field tells whether the form had them.
        for (name, box) in Self.boxes where name == "providers" || isSent(Self.marker(name)) {
            chosen[name] = fields.filter { $0.name.hasPrefix(box) && !$0.value.isEmpty }
                .map { String($0.name.dropFirst(box.count)) }
        }
        flags = Set(Self.flags.filter { name in fields.contains { $0.name == name && !$0.value.isEmpty } })
    }

    /// With the id as a name if none was entered.
    func named(_ name: String) -> ClientFields {
        var fields = self
        if fields.texts["name"]?.isEmpty != false { fields.texts["name"] = name }
        return fields
    }

    /// The same fields with these sign-in methods ticked.
    func offering(_ methods: [String]) -> ClientFields {
        var fields = self
        fields.chosen["providers"] = methods
        return fields
    }

    var isConfidential: Bool { texts["type"] == "confidential" }

    /// The field that marks a form with the boxes of a setting.
    static func marker(_ name: String) -> String { "has_\(name)" }

    static func box(_ name: String, _ entry: String) -> String { (boxes[name] ?? "") + entry }

    /// For the fields of another form.
    var hidden: [HiddenField] {
        let named = Self.names.filter {
            Self.boxes[$0] == nil && !Self.flags.contains($0) && !Self.withParts.contains($0)
        }
        return (named + Self.parts).map { HiddenField(name: $0, value: texts[$0] ?? "") }
            + Self.boxes.keys.sorted().flatMap { name in
                [HiddenField(name: Self.marker(name), value: "1")]
                    + (chosen[name] ?? []).map { HiddenField(name: Self.box(name, $0), value: "1") }
            }
            + flags.sorted().map { HiddenField(name: $0, value: "1") }
    }

    /// The differences from the current settings, by the names of the API.
    func members(unlike other: ClientFields) -> JSONObject {
        var members: JSONObject = [:]
        for name in Self.names where value(name) != other.value(name) { members[name] = value(name) }
        return members
    }

    /// The differences from the defaults, and the sign-in methods, which have no default.
    var membersOfNew: JSONObject {
        var members = members(unlike: .ofNew)
        members["providers"] = value("providers")
        return members
    }

    /// All of them, by the names of the API.
    var members: JSONObject { JSONObject(Self.names.map { JSONObject.Member(name: $0, value: value($0)) }) }

    /// An invalid number stays a text, which the services refuse.
    func value(_ name: String) -> JSON {
        let text = texts[name] ?? ""
        return switch name {
        case _ where Self.flags.contains(name): .bool(flags.contains(name))
        case _ where Self.boxes[name] != nil: .array((chosen[name] ?? []).sorted().map { .string($0) })
        case "accepted_audiences": Self.audiences(text)
        case "attributes": .array(Self.lines(text).map(Self.attribute))
        case "claims": Self.claims(texts)
        case "brand": Self.brand(texts)
        case "openid": Self.openID(texts)
        case "dialects": Self.dialects(texts)
        case "origins", "redirect_uris": .array(Self.lines(text).map { .string($0) })
        case _ where Self.lives.contains(name): Int(text).map { .integer($0) } ?? .string(text)
        default: .string(text)
        }
    }
}
