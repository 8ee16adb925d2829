import JSON

/// The links of the answers: relative paths below the tenant, which hold nothing secret.
struct NativeV2Links: Sendable {
    /// The first segment of the caller's address.
    let tenant: String

    var signIn: String { api("signin/start") }
    var signUp: String { api("signup/start") }
    var reset: String { api("resetpassword/start") }
    var attributes: String { api("signup/attributes") }
    var password: String { api("resetpassword/password") }
    var poll: String { api("resetpassword/poll") }
    /// The end of every journey.
    var resume: String { "/\(tenant)/oauth2/v2.0/authorize-challenge" }

    /// A call about a method: `challenge`, `verify` or `resend`.
    func method(_ method: NativeV2Method, _ call: String) -> String {
        api("auth/methods/\(method.path)/\(call)")
    }

    private func api(_ path: String) -> String { "/\(tenant)/api/v2.0/\(path)" }

    /// One object for each relation.
    static func json(_ links: KeyValuePairs<String, String>) -> JSON {
        var object: JSONObject = [:]
        for (relation, path) in links { object[relation] = ["href": .string(path)] }
        return .object(object)
    }
}
