import Foundation
package import Vocabulary

/// The rules for a new password: long enough, not common, no name of the service, not the user's own address
/// (NIST SP 800-63B-4 §3.1.1.2).
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

    /// In Unicode code points, after composing.
    package let minimumLength: Int
    /// In bytes of UTF-8, so that no request makes the hash slow.
    package static let maximumBytes = 1_024
    private let serviceWords: Set<String>

    /// - Parameter serviceWords: names of the service, which are as easy to guess as common passwords.
    package init(minimumLength: Int, serviceWords: [String] = []) {
        self.minimumLength = minimumLength
        self.serviceWords = Set(serviceWords.map { $0.lowercased() })
    }

    /// The hashed bytes: NFC, so that a password works on every keyboard.
    package static func normalised(_ password: String) -> [UInt8] {
        Array(password.precomposedStringWithCanonicalMapping.utf8)
    }

    package func complaint(_ password: String, address: EmailAddress?) -> Complaint? {
        guard password.utf8.count <= Self.maximumBytes else { return .tooLong }
        guard password.precomposedStringWithCanonicalMapping.unicodeScalars.count >= minimumLength else {
            return .tooShort
        }
        let forms = PasswordForms(password)
        if CommonPasswords.contain(forms) || forms.areAny(of: serviceWords) { return .common }
        guard let address else { return nil }
        return forms.areAny(of: Self.words(of: address)) ? .containsAddress : nil
    }

    private static func words(of address: EmailAddress) -> Set<String> {
        let name = String(address.key.prefix { $0 != "@" })
        return Set([address.key, name, PasswordForms.stem(of: name)]).subtracting([""])
    }
}
