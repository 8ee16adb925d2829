import Cryptography
import Foundation
import JSON
import Vocabulary

/// A search text and the kind of look-up it needs.
enum SearchTerm: Sendable, Equatable {
    case all
    case prefix(Kind, String)
    /// An id of an account, session or identity, a provider's subject, or the reference of a request.
    case exact(String)

    enum Kind: String, Sendable {
        case email, phone, name
    }

    init(_ typed: String) {
        let text = String(typed.split(whereSeparator: \.isWhitespace).joined(separator: " ").prefix(255))
        if let reference = RequestReference.find(in: text) {
            // A word alone may be a subject, so its case stays.
            self = .exact(reference.utf8.count == text.utf8.count ? text : reference)
            return
        }
        switch text {
        case "": self = .all
        case _ where text.contains("@"): self = .prefix(.email, EmailAddress(text)?.text ?? text)
        case _ where Self.isNumber(text):
            self = .prefix(.phone, PhoneNumber(text)?.text ?? "+" + text.filter(\.isWholeNumber))
        case _ where Self.mayBeID(text): self = .exact(text)
        default: self = .prefix(.name, text)
        }
    }

    /// A number as users write it: with sign, digits and separators.
    private static func isNumber(_ text: String) -> Bool {
        text.hasPrefix("+") && text.allSatisfy { $0.isASCII && ($0.isWholeNumber || "+ ()-./".contains($0)) }
    }

    /// No name contains a digit.
    private static func mayBeID(_ text: String) -> Bool {
        !text.contains(" ") && text.contains(where: \.isWholeNumber)
    }
}

/// The end of a search page: `<account id>.<matched value, in base64url>`.
package struct SearchCursor: Sendable, Equatable, CustomStringConvertible {
    let text: String
    let account: UUID

    init(text: String, account: UUID) {
        (self.text, self.account) = (text, account)
    }

    /// Nil for an invalid cursor.
    package init?(_ cursor: String) {
        let parts = cursor.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard cursor.utf8.count <= 1_500, parts.count == 2, let account = UUID(uuidString: String(parts[0])),
            let bytes = Base64URL.decode(parts[1]), let text = String(validating: bytes, as: UTF8.self),
            !text.contains("\0")
        else { return nil }
        (self.text, self.account) = (text, account)
    }

    package var description: String { "\(account.text).\(Base64URL.encode(Array(text.utf8)))" }
}
