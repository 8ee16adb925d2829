package import Cryptography
import Postgres

/// What a form carries so that it does its deed once, however often it is sent: by two clicks, or by a reload of its answer.
package struct FormOnce: Sendable {
    private static let length = 16

    private let bytes: [UInt8]

    package init(random: RandomBytes = .system) {
        bytes = random(Self.length)
    }

    /// The field of a form that was sent, nil where it had none.
    package init(sent text: String?) {
        bytes = text.flatMap { Base64URL.decode($0) } ?? []
    }

    /// The value of the form's field.
    package var text: String { Base64URL.encode(bytes) }

    /// Spends it in the transaction of the deed.
    ///
    /// - Throws: `accountsChanged` where it was spent before, or is none of ours.
    func spend(_ connection: Connection) throws {
        guard bytes.count == Self.length else { throw AdminRefusal.accountsChanged }
        let isFirst =
            try connection.execute(
                """
                insert into spent_codes (digest, expires_at) values (\(SHA256.hash("form \(text)")), now() + interval '1 day')
                on conflict (digest) do nothing
                """) > 0
        guard isFirst else { throw AdminRefusal.accountsChanged }
    }
}
