import JSON
import Outbound

/// Reads the `credential` object of a request.
///
/// Members of the wrong type and unknown members are refused by name.
struct CredentialReader {
    let object: JSONObject

    /// - Parameter known: the possible members.
    init(_ object: JSONObject, of known: String...) throws(ProviderError) {
        do { self.object = try object.only(known) } catch { throw ProviderError(error) }
    }

    /// A token: present, a string, not empty, not longer than `maximumLength` bytes.
    func token(_ member: String, maximumLength: Int) throws(ProviderError) -> String {
        do {
            return try object.requiredText(member, most: maximumLength)
        } catch {
            throw ProviderError(error, missing: "token_missing", tooLong: "token_too_large")
        }
    }

    /// An opaque value for a form: visible ASCII of at most `maximumLength` bytes; nil when absent.
    func opaque(_ member: String, maximumLength: Int = 2_048) throws(ProviderError) -> String? {
        guard let text = try string(member, maximumLength: maximumLength) else { return nil }
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }) else {
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
    func string(_ member: String, maximumLength: Int = .max) throws(ProviderError) -> String? {
        do {
            return try object.optionalText(member, most: maximumLength)
        } catch {
            throw ProviderError(error)
        }
    }

    /// The `nonce` member, posted raw.
    func nonce() throws(ProviderError) -> String? {
        try opaque("nonce", maximumLength: 512)
    }
}

extension ProviderError {
    /// Names the member; the parameters are the reasons for each fault of it.
    init(
        _ error: MemberError, missing: String = "missing", tooLong: String = "malformed",
        wrongType: String = "wrong_type"
    ) {
        let reason =
            switch error.reason {
            case .missing: missing
            case .tooLong: tooLong
            case .unknown: "unknown_member"
            case .notA: wrongType
            }
        self = .invalidRequest(member: error.path.joined(separator: "/"), reason: reason, accepted: error.accepted)
    }
}
