package import Foundation
import Postgres
import Vocabulary

/// The request of a device that waits for its user.
package struct DeviceRequest: Sendable {
    package let id: UUID
    package let client: String
    package let access: GrantedAccess
    /// Where the device asked; not proved by anything.
    package let address: String?
    package let userAgent: String?
    package let begun: Date
    /// Until it expires.
    let secondsLeft: Int

    init(_ id: UUID, _ row: Row) throws {
        self.id = id
        (client, access) = (try row.value(0), GrantedAccess(names: try row.value(1)))
        (address, userAgent, begun) = (try row.value(2), try row.value(3), try row.value(4))
        secondsLeft = try row.wholeSeconds(5)
    }
}

/// The outcomes of `poll_device_request`.
enum DevicePoll: String, OutcomeWord {
    static let functions = ["poll_device_request"]

    case pending, allowed, declined, expired, invalid
    case slowDown = "slow_down"
}
