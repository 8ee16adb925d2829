import Cryptography

/// The user of a minted credential.
///
/// Every provider derives its own form of subject from the seed.
struct Person: Sendable, Equatable {
    /// The source of the subject if none was requested.
    let seed: String
    /// The requested subject, unchanged.
    let subject: String?
    let email: String
    let name: String

    /// The stable user that each provider knows by default.
    static func demo(of provider: ProviderName) -> Person {
        Person(seed: "demo", subject: nil, email: "\(provider.rawValue).demo@example.com", name: "Demo Person")
    }

    /// The same user under another number, so that a batch contains each user once.
    func numbered(_ number: Int, batch: String) -> Person {
        let mailbox = email.split(separator: "@", maxSplits: 1)
        let domain = mailbox.count == 2 ? mailbox[1] : "example.com"
        return Person(
            seed: "\(batch)-\(number)", subject: subject.map { "\($0)-\(number)" },
            email: "\(mailbox.first ?? "user")+\(batch)-\(number)@\(domain)", name: "\(name) \(number)")
    }

    /// Hexadecimal digits that are always the same for this seed and purpose.
    func digits(_ count: Int, for purpose: String) -> String {
        String(Hex.encode(SHA256.hash("\(purpose):\(seed)")).prefix(count))
    }

    /// A GUID that is always the same for this seed and purpose.
    func guid(for purpose: String) -> String {
        GUID.formatted(digits(32, for: purpose))
    }
}

/// GUIDs as the providers write them: lower case, five groups.
enum GUID {
    static func random() -> String { formatted(Hex.encode(RandomBytes.system(16))) }

    static func formatted(_ digits: String) -> String {
        var rest = Substring(digits)
        return [8, 4, 4, 4, 12].map { count in
            defer { rest = rest.dropFirst(count) }
            return String(rest.prefix(count))
        }.joined(separator: "-")
    }

    static func isOne(_ text: String) -> Bool {
        let groups = text.split(separator: "-", omittingEmptySubsequences: false)
        let digits = Set("0123456789abcdef")
        return groups.map(\.utf8.count) == [8, 4, 4, 4, 12] && groups.joined().allSatisfy(digits.contains)
    }
}
