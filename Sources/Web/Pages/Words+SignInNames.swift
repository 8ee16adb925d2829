import Pages

extension Words {
    /// The field for a sign-in name.
    func values(of names: SignInNames) -> [String: Any] {
        ["username_label": text(names.label), "username_mode": names.kinds == [.email] ? "email" : "text"]
    }
}
