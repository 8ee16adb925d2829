/// Subjects that a faulty issuer writes where it has none: everybody without one would share an account.
enum Subject {
    static func isPlaceholder(_ subject: String) -> Bool {
        ["undefined", "null", "nil", "none", "nan", "(null)", "[object object]"]
            .contains { ASCII.equalIgnoringCase($0, subject) }
    }
}
