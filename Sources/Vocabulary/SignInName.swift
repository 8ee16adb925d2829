import Cryptography
import Foundation

/// A sign-in name: an address, a number or a user name.
///
/// The kinds can't be confused: an address contains an `@`, a number begins with `+`, and a user name has neither. An
/// account's id counts as a user name, because apps send back the id that our tokens have. Nobody chooses one as a name.
package struct SignInName: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        case email, phone
        case userName = "user_name"
    }

    package let kind: Kind
    /// As displayed.
    package let text: String
    /// The key of account look-ups.
    package let key: String

    /// Nil for an invalid name.
    package init?(_ typed: String) {
        let text = typed.trimmingCharacters(in: .whitespacesAndNewlines)
        if text.contains("@") {
            guard let address = EmailAddress(text) else { return nil }
            (kind, self.text, key) = (.email, address.text, address.key)
        } else if Self.isNumber(text) {
            guard let number = PhoneNumber(text) else { return nil }
            (kind, self.text, key) = (.phone, number.text, number.key)
        } else {
            let isID = UUID(uuidString: text) != nil
            guard isID || Self.isUserName(text) else { return nil }
            (kind, self.text, key) = (.userName, isID ? text.lowercased() : text, text.lowercased())
        }
    }

    /// Whether a text begins as a number does; it may still be an invalid one.
    package static func isNumber(_ typed: String) -> Bool {
        !typed.contains("@") && TypedText.folded(typed.trimmingCharacters(in: .whitespacesAndNewlines)).hasPrefix("+")
    }

    /// Whether it has the form of an account's id.
    package var isAccountID: Bool { kind == .userName && UUID(uuidString: key) != nil }

    /// The throttle key: all spellings of a name, in any case and Unicode form, share one bucket.
    ///
    /// Folding too much only merges counters, so this folds everything. A number uses its look-up key.
    package static func throttleKey(_ typed: String) -> String {
        let folded = typed.precomposedStringWithCompatibilityMapping.folding(
            options: [.caseInsensitive, .diacriticInsensitive, .widthInsensitive], locale: nil
        ).trimmingCharacters(in: .whitespacesAndNewlines)
        return PhoneNumber(folded)?.key ?? folded
    }

    /// 3 to 64 ASCII letters, digits, dots, hyphens and underscores, starting with a letter: nothing that another
    /// script could imitate.
    private static func isUserName(_ text: String) -> Bool {
        guard (3...64).contains(text.utf8.count), let first = text.utf8.first, isLetter(first) else { return false }
        return text.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) || "._-".utf8.contains($0) }
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
}
