import Accounts
import JSON

/// A name and a password as they were typed, before anything is looked up.
struct TypedPassword: Sendable {
    let name: SignInName?
    let text: String
    let throttleKey: String
    let password: [UInt8]
    /// Before it was normalised: what another system would have hashed.
    let rawPassword: [UInt8]

    init(_ credential: JSONObject) throws(Rejection) {
        guard let name = credential["username"]?.string, (1...512).contains(name.utf8.count) else {
            throw .invalidMember(pointer: "/credential/username", reason: "required")
        }
        guard let password = credential["password"]?.string, !password.isEmpty else {
            throw .invalidMember(pointer: "/credential/password", reason: "required")
        }
        guard password.utf8.count <= PasswordPolicy.maximumBytes else {
            throw .invalidMember(pointer: "/credential/password", reason: "too_long")
        }
        self.name = SignInName(name)
        text = name
        self.throttleKey = SignInName.throttleKey(name)
        self.password = PasswordPolicy.normalised(password)
        rawPassword = Array(password.utf8)
    }
}
