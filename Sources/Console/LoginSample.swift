import Pages

/// The parts of a sign-in page that depend on an app's form.
package struct LoginSample: Sendable {
    package let clientName: String
    package let providers: [(id: String, name: String)]
    /// Whether users sign in with a name.
    package let hasNames: Bool

    init(_ fields: ClientFields, methods: [String], _ name: (String) -> String) {
        clientName = fields.texts["name"] ?? ""
        providers = methods.filter { fields.providers.contains($0) && Brand.isKnown($0) }.map { ($0, name($0)) }
        hasNames = ["password", "email_otp", "sms_otp"].contains(where: fields.providers.contains)
    }
}
