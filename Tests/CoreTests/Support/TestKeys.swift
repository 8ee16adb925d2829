import Cryptography
import Foundation

@testable import Clients

/// Keys for tests: the first seals, both open.
enum TestKeys {
    static func keys(_ names: String...) throws -> MasterKeys {
        let entries = names.map { name in "\(name):" + Base64URL.encode(SHA256.hash(name)) }
        return try MasterKeys(entries.joined(separator: ","))
    }
}

extension TokenProfile.AccessToken {
    static func lasting(_ seconds: Int, for audiences: Set<Audience> = []) -> Self {
        .init(algorithm: .es256, audiences: audiences, life: seconds, clientID: "app")
    }
}

extension Date {
    static let noon = Date(timeIntervalSince1970: 1_800_000_000)
}
