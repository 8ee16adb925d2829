package import Cryptography

/// The code that a device shows, and that its user types elsewhere (RFC 8628 §6.1).
///
/// Consonants alone form no words. 20⁸ codes are 34.5 bits, so guesses are counted (`find_device_request.sql`).
package struct UserCode: Sendable, Equatable {
    private let letters: [UInt8]

    private static let alphabet = Array("BCDFGHJKLMNPQRSTVWXZ".utf8)
    private static let length = 8
    /// In bytes, of a typed text.
    private static let longest = 64

    package init(random: RandomBytes) {
        // A byte beyond the last whole multiple would favour some letters.
        let limit = 256 - 256 % Self.alphabet.count
        var letters: [UInt8] = []
        while letters.count < Self.length {
            let byte = Int(random(1)[0])
            if byte < limit { letters.append(Self.alphabet[byte % Self.alphabet.count]) }
        }
        self.letters = letters
    }

    /// Reads a typed code: case, dashes, blanks, full width and invisible characters don't count.
    ///
    /// Nil for a text that is no code.
    package init?(_ typed: String) {
        guard typed.utf8.count <= Self.longest else { return nil }
        let letters = TypedText.folded(typed).filter { $0 != "-" && !$0.isWhitespace }.uppercased().utf8
        guard letters.count == Self.length, letters.allSatisfy(Self.alphabet.contains) else { return nil }
        self.letters = Array(letters)
    }

    /// As devices show it: `WDJB-MJHT`.
    package var text: String {
        String(decoding: letters[..<4], as: UTF8.self) + "-" + String(decoding: letters[4...], as: UTF8.self)
    }

    /// The digest that the database stores.
    func digest(key: [UInt8]) -> [UInt8] { Array(HMACSHA256.code(letters, key: key)) }
}
