import Accounts
import Vocabulary

/// A name and a password as typed, before any lookup.
struct TypedPassword: Sendable {
    let name: SignInName?
    let text: String
    let throttleKey: String
    let password: [UInt8]
    /// The password before normalisation, as another system would have hashed it.
    let rawPassword: [UInt8]

    init(name: String, password: String) throws(Rejection) {
        guard (1...512).contains(name.utf8.count) else { throw .invalidField(.username, .required) }
        guard !password.isEmpty else { throw .invalidField(.password, .required) }
        guard password.utf8.count <= PasswordPolicy.maximumBytes else { throw .invalidField(.password, .tooLong) }
        self.name = SignInName(name)
        text = name
        self.throttleKey = SignInName.throttleKey(name)
        self.password = PasswordPolicy.normalised(password)
        rawPassword = Array(password.utf8)
    }
}
