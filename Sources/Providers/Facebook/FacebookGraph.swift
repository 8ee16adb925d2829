import Cryptography
import FoundationEssentials
import JSON
import Outbound

/// Asks Facebook's Graph API for the app and the user of an access token.
struct FacebookGraph: Sendable {
    struct Person: Sendable {
        let id: String
        let name: String?
        let email: ExternalEmail?
    }

    let base: String
    let configuration: FacebookProvider.Configuration
    let upstream: Upstream

    /// The error word of the token endpoint, which sends an error object with a number.
    static let errorWord: @Sendable (JSON) -> String? = { error in
        switch error["code"]?.integer {
        case 100?, 190?: "invalid_grant"
        case 1?, 101?: "invalid_client"
        case let code?: "error_\(code)"
        case nil: nil
        }
    }

    /// Facebook's description of a posted token; our app asks for it.
    func info(of token: BearerToken, by deadline: Upstream.Deadline) async throws(ProviderError) -> FacebookTokenInfo {
        guard let app = BearerToken(configuration.appID + "|" + configuration.appSecret.revealedText) else {
            throw .misconfigured(reason: "client_secret_rejected")
        }
        let object = try await object("/debug_token", [("input_token", token.text)], app, by: deadline)
        guard let data = object["data"]?.object else { throw upstream.failure("upstream_malformed") }
        return FacebookTokenInfo(object: data)
    }

    /// The user of our app's token; Facebook refuses the proof with any other app's token.
    func person(_ token: BearerToken, by deadline: Upstream.Deadline) async throws(ProviderError) -> Person {
        let proof = HMACSHA256.code(Array(token.text.utf8), key: Array(configuration.appSecret.revealedText.utf8))
        let query = [("fields", "id,name,email"), ("appsecret_proof", Hex.encode(proof))]
        let object = try await object("/me", query, token, by: deadline)
        return Person(
            id: try Subject.decimal(object["id"]), name: DisplayName.joined([object["name"]?.string]),
            email: FacebookProvider.email(in: object))
    }

    private func object(
        _ path: String, _ query: [(String, String)], _ token: BearerToken, by deadline: Upstream.Deadline
    ) async throws(ProviderError) -> JSONObject {
        let response = try await upstream.send(.get(base + path, query: query, headers: token.headers), by: deadline)
        let object = Upstream.object(in: response)
        if let word = object?["error"].flatMap(Self.errorWord) { throw refusal(word) }
        guard response.status == 200 else { throw upstream.failure("upstream_unavailable") }
        guard let object, object["error"] == nil else { throw upstream.failure("upstream_malformed") }
        return object
    }

    private func refusal(_ word: String) -> ProviderError {
        switch word {
        case "invalid_grant": .refused(.upstreamInvalidToken)
        case "invalid_client": .misconfigured(reason: "client_secret_rejected")
        default: upstream.failure("upstream_unavailable")
        }
    }
}
