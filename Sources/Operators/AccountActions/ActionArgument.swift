/// A value that an action needs, besides the account and the reason.
package struct ActionArgument: Sendable {
    /// The member of the API's body or the part of its path, and the field of the form.
    package let name: String
    package let kind: Kind
    /// Help of the command's option.
    package let help: String
    /// The command's option, if it isn't the name.
    var ownOption: String?
    package var isOptional = false
    /// Whether only the command has it.
    package var isLocal = false

    package var option: String { ownOption ?? name }

    package enum Kind: Equatable, Sendable {
        case id, text
        /// The id of another account. The console and the command also find it by a proved address.
        case otherAccount
        /// A provider and its realm, which the form offers as one choice.
        case provider, realm
        /// A truth value; the command's option has no value and sets this one.
        case flag(Bool)
    }
}

extension ActionArgument {
    static let identity = ActionArgument(name: "identity", kind: .id, help: "The identity's id.")
}
