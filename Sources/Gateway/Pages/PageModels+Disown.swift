/// `GET /not-me`: the reported sign-in, and a button that ends every session.
struct DisownPage: Sendable, Hashable {
    let clientName: String
    /// RFC 3339.
    let at: String
    /// Nil for an unknown device.
    let device: String?
    let address: String?
    /// Whether the next page asks for a new password.
    let hasPassword: Bool
    let hidden: [HiddenField]
}
