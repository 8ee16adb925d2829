import Vocabulary

/// The countries that get text messages, by calling code (E.164).
package struct CallingCodes: Sendable, Equatable {
    /// Empty allows every country.
    private let codes: [String]

    package static let all = CallingCodes(codes: [])

    private init(codes: [String]) { self.codes = codes }

    /// Nil for an invalid entry: a calling code has one to four digits, the first of them not 0.
    package init?(_ codes: [String]) {
        let areCodes = codes.allSatisfy { code in
            (1...4).contains(code.utf8.count) && !code.hasPrefix("0")
                && code.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard areCodes else { return nil }
        self.codes = codes
    }

    /// No calling code is a prefix of another, so the prefix of a number decides.
    func include(_ number: PhoneNumber) -> Bool {
        codes.isEmpty || codes.contains { number.text.utf8.dropFirst().starts(with: $0.utf8) }
    }
}
