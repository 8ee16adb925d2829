import Cryptography
import JSON

/// The account of a new credential (WebAuthn §5.4.3).
package struct UserEntity: Equatable, Sendable {
    private static let longestHandle = 64

    /// Returned with each assertion; contains no personal data.
    package let handle: [UInt8]
    /// The account name that the user knows.
    package let name: String
    package let displayName: String

    /// `nil` for a handle that is empty or longer than 64 bytes.
    package init?(handle: [UInt8], name: String, displayName: String) {
        guard (1...Self.longestHandle).contains(handle.count) else { return nil }
        self.handle = handle
        self.name = name
        self.displayName = displayName
    }

    var json: JSON {
        ["id": .string(Base64URL.encode(handle)), "name": .string(name), "displayName": .string(displayName)]
    }
}
