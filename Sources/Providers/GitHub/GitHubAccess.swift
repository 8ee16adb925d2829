import Cryptography
import JSON
import Outbound

/// Asks GitHub for the user of an access token.
///
/// The outbound client sends its name with every request, because GitHub answers none without it.
struct GitHubAccess: Sendable {
    struct Person: Sendable {
        /// The numeric id as decimal text.
        let subject: String
        let name: String?
    }

    private let base: String
    private let upstream: Upstream

    init(base: String, upstream: Upstream) {
        self.base = base
        self.upstream = upstream
    }

    /// Whether a text may travel in a header: visible ASCII, at most 2,048 bytes.
    static func isAccessToken(_ token: String) -> Bool {
        (1...2_048).contains(token.utf8.count) && token.utf8.allSatisfy { (0x21...0x7E).contains($0) }
    }

    func person(_ token: String, by deadline: Upstream.Deadline) async throws(ProviderError) -> Person {
        let response = try await get("/user", token, by: deadline)
        guard response.status == 200 else { throw refusal(of: response) }
        guard let user = Upstream.object(in: response) else { throw upstream.failure("upstream_malformed") }
        // A number beyond 64 bits would be read as a fraction and rounded to another user's id.
        guard let number = user["id"]?.integer, number > 0 else { throw .refused(.subjectInvalid) }
        return Person(subject: String(number), name: user["name"]?.string)
    }

    /// The primary address, if it was confirmed; nil also if we may not see addresses.
    func address(_ token: String, by deadline: Upstream.Deadline) async throws(ProviderError) -> String? {
        let response = try await get("/user/emails?per_page=100", token, by: deadline)
        if Self.isWithheld(response) { return nil }
        guard response.status == 200 else { throw refusal(of: response) }
        guard let entries = Upstream.json(in: response)?.array else { throw upstream.failure("upstream_malformed") }
        let primary = entries.first { $0["primary"] == .bool(true) && $0["verified"] == .bool(true) }
        return primary?["email"]?.string
    }

    private func get(
        _ path: String, _ token: String, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> HTTPResponse {
        let headers = [(name: "Authorization", value: "Bearer " + token), (name: "Accept", value: "application/json")]
        return try await upstream.send(.get(base + path, headers: headers), by: deadline)
    }

    private func refusal(of response: HTTPResponse) -> ProviderError {
        response.status == 401 ? .refused(.upstreamInvalidToken) : upstream.failure("upstream_unavailable")
    }

    /// The scope or the app's permission is missing; GitHub also answers 403 to too many requests.
    private static func isWithheld(_ response: HTTPResponse) -> Bool {
        let isThrottled = response.header("Retry-After") != nil || response.header("X-RateLimit-Remaining") == "0"
        return response.status == 404 || response.status == 403 && !isThrottled
    }
}
