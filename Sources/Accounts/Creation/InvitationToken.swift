import Cryptography
package import Vocabulary

/// The secret in the link of an invitation.
package struct InvitationToken: Sendable {
    /// 7 days, as the texts of the message say.
    package static let lifeSeconds: Int32 = 7 * 86_400
    private static let length = 32
    private static let prefix = SecretPrefix.invitation

    package let text: String
    /// As the database keeps it.
    package var digest: [UInt8] { SHA256.hash(text) }

    package init() {
        text = Self.prefix.text(RandomBytes.system(Self.length))
    }

    /// - Throws: `invitationInvalid` for a text of another form.
    package init(parsing text: String) throws(Rejection) {
        guard Self.prefix.bytes(of: text)?.count == Self.length else { throw .invitationInvalid }
        self.text = text
    }
}
