import Clients
import HTTPServer
import JSON
import OperatorAccess

/// The settings of a key in the form that issues it.
struct AccessKeyFields: Equatable {
    /// The roles that a key may have.
    static let roles = OperatorRole.allCases.filter { $0 < .owner }.map(\.rawValue)
    static let reaches = AccessKeyDesk.Reach.allCases.map(\.rawValue)
    static let means = AccessKeyDesk.Means.allCases.map(\.rawValue)
    /// The days until the key expires; `never` for no end.
    static let lifetimes = ["30", "90", "365", never]
    private static let never = "never"

    let role: String
    let reach: String
    let means: String
    let lifetime: String
    /// One on each line.
    let networks: String

    init(_ fields: FormBody) {
        role = fields["role"] ?? OperatorRole.viewer.rawValue
        reach = fields["reach"] ?? AccessKeyDesk.Reach.pool.rawValue
        means = fields["means"] ?? AccessKeyDesk.Means.secret.rawValue
        lifetime = fields["expires"] ?? String(NewAccessKey.standardDays)
        networks = fields["networks"] ?? ""
    }

    var key: NewAccessKey {
        get throws(AdminRefusal) {
            let lines = networks.split(whereSeparator: \.isWhitespace)
            return try NewAccessKey([
                "role": .string(role), "reach": .string(reach), "means": .string(means),
                "networks": .array(lines.map { .string(String($0)) }),
                "expires_in_days": lifetime == Self.never ? .null : .integer(Int(lifetime) ?? 0),
            ])
        }
    }
}
