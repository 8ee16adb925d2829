import Accounts

/// A name and a password as they were typed, before anything is looked up.
struct TypedPassword: Sendable {
    let name: SignInName?
    let text: String
    let throttleKey: String
    let password: [UInt8]
    /// Before it was normalised: what another system would have hashed.
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
