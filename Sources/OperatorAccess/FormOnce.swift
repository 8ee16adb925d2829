import Cryptography
package import Postgres

/// A single-use value in a form, so that a second click or a reload doesn't repeat its action.
package struct FormOnce: Sendable {
    private static let length = 16

    private let bytes: [UInt8]

    package init() {
        bytes = RandomBytes.system(Self.length)
    }

    /// The field of a submitted form, nil if missing.
    package init(sent text: String?) {
        bytes = text.flatMap { Base64URL.decode($0) } ?? []
    }

    /// The value of the form's field.
    package var text: String { Base64URL.encode(bytes) }

    /// Spends it in the transaction of the action.
    ///
    /// - Throws: `accountsChanged` if it was spent before or is invalid.
    package func spend(_ connection: Connection) throws {
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
