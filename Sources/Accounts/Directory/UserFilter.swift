import Vocabulary

/// A condition on the users of a page.
package struct UserFilter: Sendable, Equatable {
    /// The compared member.
    package enum Member: Sendable, Equatable {
        case id, email, phone, userName, displayName, status, password
        /// An attribute, by its name in the account.
        case attribute(String)

        /// In `directory_page`.
        var name: String {
            switch self {
            case .id: "id"
            case .email: "email"
            case .phone: "phone"
            case .userName: "user_name"
            case .displayName: "display_name"
            case .status: "status"
            case .password: "password"
            case .attribute(let name): "attribute \(name)"
            }
        }
    }

    let member: Member
    let value: String
    /// Whether the value is only the beginning.
    let isPrefix: Bool

    package init(_ member: Member, _ value: String, isPrefix: Bool) {
        (self.member, self.isPrefix) = (member, isPrefix)
        self.value = Self.stored(value, member)
    }

    /// The spelling in which the database keeps an address or a number.
    private static func stored(_ value: String, _ member: Member) -> String {
        switch member {
        case .email: EmailAddress(value)?.text ?? value
        case .phone: PhoneNumber(value)?.text ?? value
        default: value
        }
    }
}
