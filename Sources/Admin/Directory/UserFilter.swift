/// A condition on the users of a page.
package struct UserFilter: Sendable, Equatable {
    /// The compared member.
    package enum Member: Sendable, Equatable {
        case id, email, phone, userName, displayName, status, password
        /// An attribute of a client.
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
        (self.member, self.value, self.isPrefix) = (member, value, isPrefix)
    }
}
