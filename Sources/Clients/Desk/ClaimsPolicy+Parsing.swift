import JSON
import OperatorAccess

extension ClaimsPolicy {
    /// Parses a policy; omitted members have their defaults.
    ///
    /// The caller checks the address itself.
    ///
    /// - Throws: `invalidMember` with the position in the client.
    init(parsing json: JSON) throws(AdminRefusal) {
        guard let members = json.object else { throw .invalidMember(pointer: "/claims", reason: "must_be_object") }
        for member in members.members where !Self.members.contains(member.name) {
            throw .invalidMember(
                pointer: "/claims/\(member.name)", reason: "unknown_member", accepted: Self.members)
        }
        let service = try Self.service(members)
        let attributes = try Self.mappings(members, allowed: service?.allowed ?? [])
        guard service != nil || !attributes.isEmpty else {
            throw .invalidMember(pointer: "/claims/attributes", reason: "required")
        }
        guard let failure = (members["failure"] ?? "closed").string.flatMap(Failure.init(rawValue:)) else {
            throw .invalidMember(pointer: "/claims/failure", reason: "must_be_one_of_closed_or_open")
        }
        self.init(
            service: service, isClosed: failure == .closed, attributes: attributes,
            refreshSeconds: try Self.seconds(members["refresh_seconds"]))
    }

    private static let members = [
        "url", "audience", "application", "allowed", "failure", "attributes", "refresh_seconds",
    ]

    private static func service(_ members: JSONObject) throws(AdminRefusal) -> Service? {
        guard let url = members["url"], !url.isNull else { return nil }
        guard let url = url.string else { throw .invalidMember(pointer: "/claims/url", reason: "must_be_text") }
        guard let audience = members["audience"]?.string, !audience.isEmpty else {
            throw .invalidMember(pointer: "/claims/audience", reason: "required")
        }
        guard let application = (members["application"] ?? .string(entraApplication)).string, !application.isEmpty
        else {
            throw .invalidMember(pointer: "/claims/application", reason: "must_be_text")
        }
        let allowed = members["allowed"]?.array ?? []
        guard !allowed.isEmpty else { throw .invalidMember(pointer: "/claims/allowed", reason: "required") }
        for (index, name) in allowed.enumerated() where name.string.map(ClaimName.isAllowed) != true {
            throw .invalidMember(pointer: "/claims/allowed/\(index)", reason: "malformed")
        }
        return Service(url: url, audience: audience, application: application, allowed: allowed.compactMap(\.string))
    }

    private static func mappings(_ members: JSONObject, allowed: [String]) throws(AdminRefusal) -> [Mapping] {
        guard let object = (members["attributes"] ?? [:]).object else {
            throw .invalidMember(pointer: "/claims/attributes", reason: "must_be_object")
        }
        var taken = Set(allowed)
        var mappings: [Mapping] = []
        for member in object.members {
            guard let claim = member.value.string, let mapping = Mapping("\(member.name):\(claim)") else {
                throw .invalidMember(pointer: "/claims/attributes/\(member.name)", reason: "malformed")
            }
            guard taken.insert(claim).inserted else {
                throw .invalidMember(pointer: "/claims/attributes/\(member.name)", reason: "taken")
            }
            mappings.append(mapping)
        }
        return mappings
    }

    private static func seconds(_ json: JSON?) throws(AdminRefusal) -> Int? {
        guard let json, !json.isNull else { return nil }
        guard let seconds = json.integer, (60...31_536_000).contains(seconds) else {
            throw .invalidMember(pointer: "/claims/refresh_seconds", reason: "must_be_60_to_31536000_seconds")
        }
        return seconds
    }
}
