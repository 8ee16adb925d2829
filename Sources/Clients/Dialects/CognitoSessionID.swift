import Cryptography
package import Foundation

/// `SessionId` of Cognito's API: a kind of three letters, then the id in 25 digits of base 36, which hold 128 bits.
package struct CognitoSessionID: Equatable, Sendable {
    /// `SessionType`, as the id begins.
    package enum Kind: String, Sendable {
        case token = "tkn"
        /// The session of a browser, from which those of apps begin.
        case browser = "sso"
    }

    package let kind: Kind
    package let session: UUID

    private static let (radix, digits) = (36, 25)

    package init(_ kind: Kind, _ session: UUID) { (self.kind, self.session) = (kind, session) }

    package var text: String {
        let number = session.bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        let digits = String(number, radix: Self.radix)
        return kind.rawValue + String(repeating: "0", count: Self.digits - digits.count) + digits
    }

    /// Nil for a text of another form.
    package init?(text: String) {
        let digits = text.dropFirst(3)
        guard let kind = Kind(rawValue: String(text.prefix(3))), digits.utf8.count == Self.digits,
            let number = UInt128(digits, radix: Self.radix)
        else { return nil }
        let bytes = (0..<16).map { UInt8(truncatingIfNeeded: number >> (8 * (15 - $0))) }
        self.init(kind, UUID(bytes: bytes))
        // The number also parses with a sign and in capital letters.
        guard self.text == text else { return nil }
    }
}
