package import JSON
package import OperatorAccess
import Outbound
import Providers
import Vocabulary

/// A change of a client; omitted members stay unchanged.
package struct ClientChange: Sendable, Equatable {
    /// By the column names of `clients`.
    let json: JSON
    /// The members as they were sent.
    private let sent: JSONObject

    private static let lives: [String: ClosedRange<Int>] = [
        "access_token_seconds": 60...3_600, "refresh_idle_seconds": 60...31_536_000,
        "refresh_max_seconds": 60...31_536_000,
    ]
    private static let mostEntries = 100
    /// Every setting, in the order of the API's description.
    private static let members =
        ["name", "disabled"] + ClientDeclaration.defaults.members.map(\.name).filter { $0 != "disabled" }
        + ["providers"]

    /// The security settings of an app: where its sessions go, who may request them, and their permissions.
    private static let trusted: Set<String> = [
        "redirect_uris", "origins", "providers", "second_factor", "custom_challenge", "guests", "audiences", "type",
        "accepted_audiences", "foreign_nonces", "refresh_rotation", "claims", "dialects", "openid",
    ]

    /// The permission that a change of these members needs.
    ///
    /// Only owners may change security settings, enable a disabled client, and change a client for administration
    /// (`client_refusal.sql`).
    ///
    /// - Parameter held: the current client; empty if unknown.
    package static func action(for sent: JSONObject, held: JSONObject = [:]) -> AdminAction {
        let administers = held["audiences"]?.array?.contains(.string(Audience.administration.rawValue)) == true
        guard !administers else { return .trustClient }
        let decides = sent.members.contains { trusted.contains($0.name) || $0.name == "disabled" && $0.value == false }
        return decides || !links(in: sent).isSubset(of: links(in: held)) ? .trustClient : .changeClient
    }

    /// What the app's mails show as links: the addresses of the brand, and a name that is written as one.
    private static func links(in client: JSONObject) -> Set<String> {
        let brand = client["brand"]
        let addresses = ["terms_url", "privacy_url", "support_url", "home_url"].compactMap { brand?[$0]?.string }
        let names = [client["name"], brand?["sender_name"]].compactMap { $0?.string }
        return Set(addresses + names.filter { MessageLink.isAddress($0) })
    }

    /// The permission for any change of a client, including its secret.
    package static func action(toChange held: JSONObject) -> AdminAction { action(for: [:], held: held) }

    /// The permission for this change, for any client.
    let action: AdminAction

    /// The permission for this change of a client: links that it has already may stay.
    ///
    /// - Parameter held: `name` and `brand` of the current client.
    func action(toChange held: JSONObject) -> AdminAction {
        let decides = action == .trustClient && Self.action(for: sent, held: held) == .trustClient
        return decides ? .trustClient : .changeClient
    }

    /// Reads the members; each is validated as the server uses it.
    ///
    /// - Throws: `invalidMember` for an unknown or invalid member.
    package init(_ sent: JSONObject) throws(AdminRefusal) {
        var change: JSONObject = [:]
        for member in sent.members where member.name != "reason" {
            change[Self.column(member.name)] = try Self.checked(member.name, member.value)
        }
        guard !change.members.isEmpty else { throw .nothingToChange }
        json = .object(change)
        self.sent = sent
        action = Self.action(for: sent)
    }

    /// Refuses an unknown provider: a typing error would leave the intended provider unrestricted.
    ///
    /// - Parameters:
    ///   - providers: the ids of the configured providers.
    ///   - held: the current client. Providers that it already names may stay, even if they are not configured now.
    /// - Throws: `invalidMember` with the position.
    func checkProviders(_ providers: [String], held: JSONObject) throws(AdminRefusal) {
        let limited = providers + (held["accepted_audiences"]?.object?.members.map(\.name) ?? [])
        for member in json["accepted_audiences"]?.object?.members ?? [] where !limited.contains(member.name) {
            throw .invalidMember(
                pointer: "/accepted_audiences/\(member.name)", reason: "unknown_provider", accepted: providers)
        }
        let methods = providers + FirstFactor.offered(sendsTexts: true, hasPasskeys: true)
        let offered = methods + (held["providers"]?.array?.compactMap(\.string) ?? [])
        for (index, id) in (json["providers"]?.array?.compactMap(\.string) ?? []).enumerated()
        where !offered.contains(id) {
            throw .invalidMember(pointer: "/providers/\(index)", reason: "unknown_provider", accepted: methods)
        }
    }

    /// Refuses an address of the claims webhook that the gateway would not call.
    ///
    /// - Throws: `invalidMember` with the position.
    func checkClaimsURL(allowsLocal: Bool) throws(AdminRefusal) {
        guard let url = json["claims"]?["url"]?.string else { return }
        do throws(TransferError) {
            _ = try OutboundURL(url, allowsLocal: allowsLocal)
        } catch {
            throw .invalidMember(
                pointer: "/claims/url", reason: error == .addressRefused ? "address_refused" : "malformed")
        }
    }

    /// Refuses Cognito's API for a confidential client with a digested secret: the secret is the key of an HMAC there.
    func checkSecret(held: JSONObject) throws(AdminRefusal) {
        let type = json["type"] ?? held["type"]
        let cognito = json["dialects"].map { $0["cognito"] } ?? held["dialects"]?["cognito"]
        guard type == .string(Client.Kind.confidential.rawValue), cognito != nil,
            held["secret_kept"] == .string(ClientSecret.Storage.digest.rawValue)
        else { return }
        throw .invalidMember(pointer: "/dialects/cognito", reason: "needs_a_sealed_secret")
    }

    /// Whether a dialect of this client uses its secret as the key of an HMAC.
    package static func needsSealedSecret(_ held: JSONObject) -> Bool {
        held["type"]?.string == Client.Kind.confidential.rawValue && held["dialects"]?["cognito"] != nil
    }

    /// Whether a client would be confidential without a secret and without keys.
    package static func lacksProof(_ change: JSONObject, held: JSONObject) -> Bool {
        let (type, openID) = (change["type"] ?? held["type"], change["openid"] ?? held["openid"])
        return type?.string == Client.Kind.confidential.rawValue && held["has_secret"] != true
            && OpenIDSettings.keyMembers.allSatisfy { openID?[$0]?.isNull ?? true }
    }

    /// How a new secret is kept: sealed where a dialect uses it as the key of an HMAC.
    var keptSecret: ClientSecret.Storage { json["dialects"]?["cognito"] == nil ? .digest : .sealed }

    /// Whether it may change who writes the attributes: a dialect sets the default, and administration ends dialects.
    var decidesWriters: Bool { ["attributes", "dialects", "audiences"].contains { json[$0] != nil } }

    private static func column(_ name: String) -> String { name == "second_factor" ? "mfa" : name }

    private static func checked(_ name: String, _ value: JSON) throws(AdminRefusal) -> JSON {
        switch name {
        case "name": return .string(try text(name, value))
        case "origins":
            return try list(name, value, forms: ["https://host", "http://localhost:PORT"]) { origin in
                RedirectURI(origin + "/")?.origin == origin
            }
        case "redirect_uris":
            return try list(name, value, forms: RedirectURI.forms) { RedirectURI($0) != nil }
        case "providers": return try list(name, value) { $0.utf8.count <= 64 }
        case "sign_up_names":
            let kinds = SignInName.Kind.allCases.map(\.rawValue)
            let names = try list(name, value, forms: kinds) { kinds.contains($0) }
            guard names.array?.isEmpty == false else { throw .invalidMember(pointer: "/\(name)", reason: "required") }
            return names
        case "audiences":
            let audiences = Audience.allCases.map(\.rawValue)
            return try list(name, value, forms: audiences) { audiences.contains($0) }
        case "type": return try choice(name, value, Client.Kind.allCases.map(\.rawValue))
        case "accepted_audiences": return try audiences(name, value)
        case "linking_policy":
            return try choice(name, value, LinkingPolicy.BothVerified.allCases.map(\.rawValue))
        case "refresh_rotation": return try choice(name, value, TokenProfile.Rotation.allCases.map(\.rawValue))
        case "second_factor": return try choice(name, value, ["optional", "required"])
        case "attributes": return try attributes(name, value)
        case "claims": return try claims(value)
        case "brand": return try brand(value)
        case "dialects": return try dialects(value)
        case "openid": return try openID(value)
        case "bot_check": return try choice(name, value, BotCheckPolicy.allCases.map(\.rawValue))
        case "custom_challenge", "foreign_nonces", "guests", "disabled": return .bool(try flag(name, value))
        default: return .integer(try life(name, value))
        }
    }

    private static func text(_ name: String, _ value: JSON) throws(AdminRefusal) -> String {
        guard let text = value.string, !text.isEmpty, text.count <= 100,
            text.unicodeScalars.allSatisfy(\.isShownInLine)
        else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_text")
        }
        return text
    }

    /// - Parameter forms: the values or forms of an entry, for the refusal of another one.
    private static func list(
        _ name: String, _ value: JSON, forms: [String] = [], _ holds: (String) -> Bool
    ) throws(AdminRefusal) -> JSON {
        guard let array = value.array, array.count <= mostEntries else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_list")
        }
        for (index, item) in array.enumerated() {
            guard let text = item.string, holds(text) else {
                throw .invalidMember(pointer: "/\(name)/\(index)", reason: "malformed", accepted: forms)
            }
        }
        return value
    }

    /// Non-empty lists of texts by provider: an empty one would admit nobody.
    private static func audiences(_ name: String, _ value: JSON) throws(AdminRefusal) -> JSON {
        guard let object = value.object, object.members.count <= mostEntries else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_object")
        }
        for member in object.members {
            guard let list = member.value.array, !list.isEmpty, list.count <= mostEntries, member.name.utf8.count <= 64,
                list.allSatisfy({ $0.string.map { (1...255).contains($0.utf8.count) } ?? false })
            else { throw .invalidMember(pointer: "/\(name)/\(member.name)", reason: "malformed") }
        }
        return value
    }

    /// The sign-up attributes, each with its kind and whether it is required.
    private static func attributes(_ name: String, _ value: JSON) throws(AdminRefusal) -> JSON {
        guard let array = value.array, array.count <= mostEntries else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_list")
        }
        var attributes: [ClientAttribute] = []
        for (index, item) in array.enumerated() {
            for member in item.object?.members ?? [] where !ClientAttribute.members.contains(member.name) {
                throw .invalidMember(
                    pointer: "/\(name)/\(index)/\(member.name)", reason: "unknown_member",
                    accepted: ClientAttribute.members)
            }
            guard let attribute = ClientAttribute(item) else {
                throw .invalidMember(pointer: "/\(name)/\(index)", reason: "malformed")
            }
            guard !attributes.contains(where: { $0.name == attribute.name }) else {
                throw .invalidMember(pointer: "/\(name)/\(index)/name", reason: "taken")
            }
            attributes.append(attribute)
        }
        return attributes.json
    }

    /// The policy for additional claims; null for none.
    private static func claims(_ value: JSON) throws(AdminRefusal) -> JSON {
        value.isNull ? .null : try ClaimsPolicy(parsing: value).json
    }

    /// The operator's identity on the app's pages; null for the gateway's own.
    private static func brand(_ value: JSON) throws(AdminRefusal) -> JSON {
        if value.isNull { return .null }
        guard let members = value.object else { throw .invalidMember(pointer: "/brand", reason: "must_be_object") }
        do throws(ClientBrand.Fault) {
            return try ClientBrand(parsing: members)?.json ?? .null
        } catch {
            throw .invalidMember(
                pointer: "/brand/\(error.member)", reason: error.reason, accepted: error.accepted)
        }
    }

    /// The identifiers of the app in other vendors' protocols.
    private static func dialects(_ value: JSON) throws(AdminRefusal) -> JSON {
        guard let members = value.object else { throw .invalidMember(pointer: "/dialects", reason: "must_be_object") }
        do throws(MemberFault) {
            return try ClientDialects(parsing: members).json
        } catch {
            throw .invalidMember(
                pointer: "/dialects\(error.pointer)", reason: error.reason, accepted: error.accepted)
        }
    }

    /// The app's settings as a relying party.
    private static func openID(_ value: JSON) throws(AdminRefusal) -> JSON {
        guard let members = value.object else { throw .invalidMember(pointer: "/openid", reason: "must_be_object") }
        do throws(MemberFault) {
            return try OpenIDSettings(parsing: members).json
        } catch {
            throw .invalidMember(
                pointer: "/openid\(error.pointer)", reason: error.reason, accepted: error.accepted)
        }
    }

    private static func choice(_ name: String, _ value: JSON, _ choices: [String]) throws(AdminRefusal) -> JSON {
        guard let text = value.string, choices.contains(text) else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_one_of_\(choices.joined(separator: "_or_"))")
        }
        return value
    }

    private static func flag(_ name: String, _ value: JSON) throws(AdminRefusal) -> Bool {
        guard let flag = value.bool else { throw .invalidMember(pointer: "/\(name)", reason: "must_be_boolean") }
        return flag
    }

    /// S-10: no lifetime is null, negative or too large for the database.
    private static func life(_ name: String, _ value: JSON) throws(AdminRefusal) -> Int {
        guard let range = lives[name] else {
            throw .invalidMember(pointer: "/\(name)", reason: "unknown_member", accepted: Self.members)
        }
        guard let seconds = value.integer, range.contains(seconds) else {
            throw .invalidMember(
                pointer: "/\(name)", reason: "must_be_\(range.lowerBound)_to_\(range.upperBound)_seconds")
        }
        return seconds
    }
}
