import JSON

/// Reads the `credential` object of a request.
///
/// Members of the wrong type are refused by name, unknown ones are ignored.
struct CredentialReader {
    let object: JSONObject

    init(_ object: JSONObject) {
        self.object = object
    }

    /// A token: present, a string, not empty, not longer than `maximumLength` bytes.
    func token(_ member: String, maximumLength: Int) throws(ProviderError) -> String {
        guard let text = try string(member), !text.isEmpty else {
            throw .invalidRequest(member: member, reason: "token_missing")
        }
        guard text.utf8.count <= maximumLength else { throw .invalidRequest(member: member, reason: "token_too_large") }
        return text
    }

    /// An opaque value for a form: visible ASCII of at most `maximumLength` bytes; nil when absent.
    func opaque(_ member: String, maximumLength: Int = 2_048) throws(ProviderError) -> String? {
        guard let text = try string(member) else { return nil }
        guard (1...maximumLength).contains(text.utf8.count), text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw .invalidRequest(member: member, reason: "malformed")
        }
        return text
    }

    func required(_ member: String, maximumLength: Int = 2_048) throws(ProviderError) -> String {
        guard let text = try opaque(member, maximumLength: maximumLength) else {
            throw .invalidRequest(member: member, reason: "missing")
        }
        return text
    }

    /// 43 to 128 unreserved characters (RFC 7636 §4.1); nil when absent.
    func codeVerifier() throws(ProviderError) -> String? {
        guard let text = try opaque("code_verifier", maximumLength: 128) else { return nil }
        guard text.utf8.count >= 43, FormEncoding.encode(text).utf8.count == text.utf8.count else {
            throw .invalidRequest(member: "code_verifier", reason: "malformed")
        }
        return text
    }

    /// A string, or nil when the member is absent or null.
    func string(_ member: String) throws(ProviderError) -> String? {
        guard let value = object[member], !value.isNull else { return nil }
        guard let text = value.string else { throw .invalidRequest(member: member, reason: "wrong_type") }
        return text
    }

    /// The `nonce` member, posted raw.
    func nonce() throws(ProviderError) -> String? {
        try opaque("nonce", maximumLength: 512)
    }
}
