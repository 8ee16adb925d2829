import Admin
import JSON
import Sessions

/// The settings of an app in a form.
struct ClientFields: Sendable {
    static let policies = ["both_verified", "ask"]
    static let secondFactors = ["optional", "required"]
    static let rotations = ["always", "relaxed"]
    static let types = ["public", "confidential"]
    static let lives = ["access_token_seconds", "refresh_idle_seconds", "refresh_max_seconds"]
    /// In the order of the form; the label of each is the message `console.client.<it>`.
    static let names =
        [
            "name", "type", "origins", "redirect_uris", "providers", "accepted_audiences", "audiences",
            "linking_policy", "second_factor", "guests",
        ]
        + lives + ["refresh_rotation", "disabled"]
    /// The permissions of an app's sessions besides its own API.
    static let audiences = Audience.allCases.map(\.rawValue)
    private static let box = "provider_"
    private static let audienceBox = "audience_"

    /// One per line if there are several.
    private(set) var texts: [String: String]
    private(set) var providers: [String]
    private(set) var audiences: [String]
    private(set) var allowsGuests: Bool
    private(set) var isDisabled: Bool

    /// The defaults of a new app, as in the database.
    static let ofNew = ClientFields(Facts(.object(ClientDeclaration.defaults)))

    init(_ client: Facts) {
        texts = [
            "name": client["name"] ?? "", "type": client["type"] ?? "",
            "linking_policy": client["linking_policy"] ?? "",
            "second_factor": client["second_factor"] ?? "", "refresh_rotation": client["refresh_rotation"] ?? "",
        ]
        for name in ["origins", "redirect_uris"] { texts[name] = client.names(name).joined(separator: "\n") }
        for name in Self.lives { texts[name] = "\(client.number(name))" }
        texts["accepted_audiences"] = Self.audienceLines(client.members["accepted_audiences"] ?? [:])
        providers = client.names("providers")
        audiences = client.names("audiences")
        allowsGuests = client.flag("guests")
        isDisabled = client.flag("disabled")
    }

    /// - Parameters:
    ///   - fields: the submitted values; missing ones are empty.
    ///   - before: supplies type, accepted audiences, rotation and permissions if the form has none of them.
    init(form fields: [(name: String, value: String)], before: ClientFields) {
        texts = [:]
        for name in Self.names { texts[name] = fields.first { $0.name == name }?.value ?? "" }
        for name in ["type", "accepted_audiences", "refresh_rotation"]
        where !fields.contains(where: { $0.name == name }) {
            texts[name] = before.texts[name]
        }
        for name in ["origins", "redirect_uris", "accepted_audiences"] {
            texts[name] = Self.lines(texts[name] ?? "").joined(separator: "\n")
        }
        providers = fields.filter { $0.name.hasPrefix(Self.box) && !$0.value.isEmpty }
            .map { String($0.name.dropFirst(Self.box.count)) }
        // Unticked boxes are not submitted, so another field tells whether the form had them.
        audiences =
            fields.contains { $0.name == Self.hasAudiences }
            ? fields.filter { $0.name.hasPrefix(Self.audienceBox) && !$0.value.isEmpty }
                .map { String($0.name.dropFirst(Self.audienceBox.count)) }
            : before.audiences
        allowsGuests = fields.contains { $0.name == "guests" && !$0.value.isEmpty }
        isDisabled = fields.contains { $0.name == "disabled" && !$0.value.isEmpty }
    }

    /// With the id as a name if none was entered.
    func named(_ name: String) -> ClientFields {
        var fields = self
        if fields.texts["name"]?.isEmpty != false { fields.texts["name"] = name }
        return fields
    }

    /// For a new one: confidential if it has a secret.
    func confidential(_ isConfidential: Bool) -> ClientFields {
        var fields = self
        fields.texts["type"] = Self.types[isConfidential ? 1 : 0]
        return fields
    }

    /// The field that marks a form with permission boxes.
    static let hasAudiences = "has_audiences"

    static func fieldName(ofProvider id: String) -> String { box + id }
    static func fieldName(ofAudience name: String) -> String { audienceBox + name }

    /// For the fields of another form.
    var hidden: [HiddenField] {
        Self.names.filter { !["providers", "audiences", "guests", "disabled"].contains($0) }.map {
            HiddenField(name: $0, value: texts[$0] ?? "")
        }
            + providers.map { HiddenField(name: Self.fieldName(ofProvider: $0), value: "1") }
            + [HiddenField(name: Self.hasAudiences, value: "1")]
            + audiences.map { HiddenField(name: Self.fieldName(ofAudience: $0), value: "1") }
            + (allowsGuests ? [HiddenField(name: "guests", value: "1")] : [])
            + (isDisabled ? [HiddenField(name: "disabled", value: "1")] : [])
    }

    /// The differences from the current settings, by the names of the API.
    func members(unlike other: ClientFields) -> JSONObject {
        var members: JSONObject = [:]
        for name in Self.names where value(name) != other.value(name) { members[name] = value(name) }
        return members
    }

    /// All of them, by the names of the API.
    var members: JSONObject { JSONObject(Self.names.map { JSONObject.Member(name: $0, value: value($0)) }) }

    /// An invalid number stays a text, which the services refuse.
    func value(_ name: String) -> JSON {
        let text = texts[name] ?? ""
        return switch name {
        case "guests": .bool(allowsGuests)
        case "disabled": .bool(isDisabled)
        case "providers": .array(providers.sorted().map { .string($0) })
        case "audiences": .array(audiences.sorted().map { .string($0) })
        case "accepted_audiences": Self.audiences(text)
        case "origins", "redirect_uris": .array(Self.lines(text).map { .string($0) })
        case _ where Self.lives.contains(name): Int(text).map { .integer($0) } ?? .string(text)
        default: .string(text)
        }
    }

    /// `apple com.example.app`, one per line, in alphabetical order.
    private static func audienceLines(_ json: JSON) -> String {
        [String: [String]](json).sorted { $0.key < $1.key }.flatMap { provider, audiences in
            audiences.map { "\(provider) \($0)" }
        }.joined(separator: "\n")
    }

    /// A line without an audience produces a provider without one, which the services refuse.
    private static func audiences(_ text: String) -> JSON {
        var audiences: [String: [String]] = [:]
        for line in lines(text) {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            audiences[words[0], default: []] += words.dropFirst()
        }
        return audiences.json
    }

    private static func lines(_ text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimming(while: \.isWhitespace) }.filter { !$0.isEmpty }
    }
}

extension Substring {
    fileprivate func trimming(while isLeftOut: (Character) -> Bool) -> String {
        String(drop(while: isLeftOut).reversed().drop(while: isLeftOut).reversed())
    }
}
