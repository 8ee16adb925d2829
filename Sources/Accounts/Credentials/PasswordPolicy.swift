import Foundation
package import Vocabulary

/// The rules for a new password: long enough, not common, not the user's own address (NIST SP 800-63B-4 §3.1.1.2).
///
/// No composition rules, no expiry.
package struct PasswordPolicy: Sendable {
    /// Why a password was refused; the raw value is the error code.
    package enum Complaint: String, Sendable, Equatable, CaseIterable {
        case tooShort = "password_too_short"
        case tooLong = "password_too_long"
        case common = "password_common"
        case containsAddress = "password_contains_address"
    }

    /// In characters as users count them.
    package let minimumLength: Int
    /// In bytes of UTF-8, so that no request makes the hash slow.
    package static let maximumBytes = 1_024

    package init(minimumLength: Int) {
        self.minimumLength = minimumLength
    }

    /// The hashed bytes: NFC, so that a password works on every keyboard.
    package static func normalised(_ password: String) -> [UInt8] {
        Array(password.precomposedStringWithCanonicalMapping.utf8)
    }

    package func complaint(_ password: String, address: EmailAddress?) -> Complaint? {
        guard password.utf8.count <= Self.maximumBytes else { return .tooLong }
        guard password.precomposedStringWithCanonicalMapping.count >= minimumLength else { return .tooShort }
        let folded = password.lowercased()
        if CommonPasswords.contains(folded) { return .common }
        guard let address else { return nil }
        return Self.isAbout(address, folded) ? .containsAddress : nil
    }

    private static func isAbout(_ address: EmailAddress, _ folded: String) -> Bool {
        let name = address.key.prefix { $0 != "@" }
        return folded == address.key || (name.utf8.count >= 4 && folded.contains(name)) || folded == name
    }
}
