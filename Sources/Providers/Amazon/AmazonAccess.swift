import Cryptography
import JSON
import Outbound

/// Checks access tokens at Amazon.
///
/// The token travels in headers only, because logs record URLs.
struct AmazonAccess: Sendable {
    private let base: String
    private let upstream: Upstream

    init(base: String, upstream: Upstream) {
        self.base = base
        self.upstream = upstream
    }

    /// Whether a text has the form of an access token: `Atza|`, visible ASCII, at most 2,048 bytes.
    static func isAccessToken(_ token: String) -> Bool {
        token.hasPrefix("Atza|") && (6...2_048).contains(token.utf8.count)
            && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    func tokenInfo(_ token: String, by deadline: Upstream.Deadline) async throws(ProviderError) -> AmazonTokenInfo {
        let request = HTTPRequest.get(
            base + "/auth/o2/tokeninfo", headers: [("x-amz-access-token", token), ("Accept", "application/json")])
        let response = try await upstream.send(request, by: deadline)
        let object = Upstream.object(in: response, maximumBytes: 16_384)
        guard response.status == 200, let object, object["error"] == nil else {
            throw refusal(of: response, saying: object)
        }
        return AmazonTokenInfo(object: object)
    }

    /// The profile of `userID`; nil when the user did not share it.
    ///
    /// An answer about another user is refused.
    func profile(
        _ token: String, of userID: String, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> JSONObject? {
        let request = HTTPRequest.get(
            base + "/user/profile", headers: [("Authorization", "Bearer " + token), ("Accept", "application/json")])
        let response = try await upstream.send(request, by: deadline)
        let object = Upstream.object(in: response, maximumBytes: 16_384)
        if response.status != 200, object?["error"]?.string == "insufficient_scope" { return nil }
        guard response.status == 200, let object, object["error"] == nil else {
            throw refusal(of: response, saying: object)
        }
        guard let named = object["user_id"]?.string else { throw upstream.failure("upstream_malformed") }
        guard named.hasSameBytes(as: userID) else {
            upstream.health.note(.subjectMismatch)
            throw .refused(.subjectMismatch)
        }
        return object
    }

    /// The `error` word decides; the status counts only without one.
    private func refusal(of response: HTTPResponse, saying object: JSONObject?) -> ProviderError {
        switch (object?["error"]?.string, response.status) {
        case ("invalid_token"?, _), ("invalid_request"?, _), ("insufficient_scope"?, _), (nil, 400), (nil, 401):
            .refused(.upstreamInvalidToken)
        case (nil, 200): upstream.failure("upstream_malformed")
        default: upstream.failure("upstream_unavailable")
        }
    }
}
