package import JSON
package import OperatorAccess
import Settings

/// The settings of a key to issue.
package struct NewAccessKey: Sendable, Equatable {
    package let role: OperatorRole
    package let reach: AccessKeyDesk.Reach
    package let means: AccessKeyDesk.Means
    /// The only networks from which it works; empty for all.
    package let networks: [String]
    /// Until it expires; nil for never.
    package let days: Int?

    package static let members = ["role", "reach", "means", "networks", "expires_in_days"]
    package static let standardDays = 365
    package static let lifetimes = 1...3_650
    package static let mostNetworks = 20

    /// Reads the members of a request: all but the role may be absent.
    ///
    /// - Throws: `invalidMember`, also for the role owner.
    package init(_ sent: JSONObject) throws(AdminRefusal) {
        guard let role = sent["role"]?.string.flatMap(OperatorRole.init(rawValue:)), role < .owner else {
            throw .invalidMember(pointer: "/role", reason: "must_be_one_of_viewer_support_or_admin")
        }
        self.role = role
        reach = try Self.choice(sent["reach"], else: .pool, "/reach", "must_be_one_of_pool_or_gateway")
        means = try Self.choice(sent["means"], else: .secret, "/means", "must_be_one_of_secret_or_client_credentials")
        networks = try Self.networks(sent["networks"])
        days = try Self.days(sent["expires_in_days"])
    }

    private static func choice<Choice: RawRepresentable<String>>(
        _ value: JSON?, else standard: Choice, _ pointer: String, _ reason: String
    ) throws(AdminRefusal) -> Choice {
        guard let value else { return standard }
        guard let choice = value.string.flatMap(Choice.init(rawValue:)) else {
            throw .invalidMember(pointer: pointer, reason: reason)
        }
        return choice
    }

    private static func networks(_ value: JSON?) throws(AdminRefusal) -> [String] {
        guard let value, !value.isNull else { return [] }
        guard let items = value.array, items.count <= mostNetworks else {
            throw .invalidMember(pointer: "/networks", reason: "must_be_list_of_at_most_20")
        }
        var networks: [String] = []
        for (place, item) in items.enumerated() {
            guard let text = item.string, NetworkRange(text) != nil else {
                throw .invalidMember(pointer: "/networks/\(place)", reason: "must_be_address_or_network")
            }
            networks.append(text)
        }
        return networks
    }

    private static func days(_ value: JSON?) throws(AdminRefusal) -> Int? {
        guard let value else { return standardDays }
        if value.isNull { return nil }
        guard let days = value.integer, lifetimes.contains(days) else {
            throw .invalidMember(pointer: "/expires_in_days", reason: "must_be_1_to_3650_or_null")
        }
        return days
    }
}
