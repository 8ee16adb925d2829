import JSON

/// A channel for codes, in the API's terms.
struct MicrosoftMethod: Equatable, Sendable {
    /// A GUID for an existing second factor; the channel's word for one that is to be registered.
    let id: String
    let channel: CodeDelivery.Medium
    /// Masked.
    let hint: String?

    init(id: String, channel: CodeDelivery.Medium, hint: String?) {
        (self.id, self.channel, self.hint) = (id, channel, hint)
    }

    /// Nil for an unsupported method: by voice, or without a code.
    init?(_ members: MicrosoftMembers) {
        guard let id = members.text("id"), members.text("challenge_type") ?? "oob" == "oob",
            let channel = members.text("challenge_channel").flatMap(Self.channel)
        else { return nil }
        // The hint of a method that is to be registered comes unmasked.
        self.init(id: id, channel: channel, hint: members.text("login_hint").map(Self.masked))
    }

    var kind: SignInMethod.Kind { channel == .email ? .emailOTP : .smsOTP }

    /// The methods as the step offers them: the kind is the id if each kind occurs once.
    static func offered(_ methods: [MicrosoftMethod]) -> [SignInMethod] {
        let areDistinct = Set(methods.map(\.kind)).count == methods.count
        return methods.map { SignInMethod($0.kind, id: areDistinct ? nil : $0.id, hint: $0.hint) }
    }

    static func chosen(_ id: String, of methods: [MicrosoftMethod]) -> MicrosoftMethod? {
        zip(methods, offered(methods)).first { $0.1.id.hasSameBytes(as: id) }?.0
    }

    static func channel(_ word: String) -> CodeDelivery.Medium? {
        CodeDelivery.Medium(rawValue: word.lowercased())
    }

    /// Replaces most of an address or number with stars, unless it already has some.
    static func masked(_ contact: String) -> String {
        guard !contact.contains("*") else { return contact }
        let halves = contact.split(separator: "@", maxSplits: 1)
        guard halves.count == 2 else { return "***" + contact.suffix(2) }
        return "\(halves[0].prefix(1))***@\(halves[1].prefix(1))***"
    }

    // MARK: Between two steps

    init?(_ state: JSON) {
        guard let id = state["id"]?.string, let channel = state["channel"]?.string.flatMap(Self.channel) else {
            return nil
        }
        self.init(id: id, channel: channel, hint: state["hint"]?.string)
    }

    var state: JSON {
        ["id": .string(id), "channel": .string(channel.rawValue), "hint": hint.map(JSON.string) ?? .null]
    }
}
