import Cryptography
import JSON
import Outbound

/// An exchanged access token for the provider's API.
struct BearerToken: Sendable {
    let text: String

    /// Fails for a text that a header cannot carry: visible ASCII of at most `maximumLength` bytes.
    init?(_ text: String?, maximumLength: Int = 4_096) {
        guard let text, (1...maximumLength).contains(text.utf8.count),
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) })
        else { return nil }
        self.text = text
    }

    var headers: [(name: String, value: String)] {
        [(name: "Authorization", value: "Bearer " + text), (name: "Accept", value: "application/json")]
    }
}

extension Upstream {
    /// The required access token of an answer.
    func bearer(
        in answer: TokenEndpoint.Answer, maximumLength: Int = 4_096
    ) throws(ProviderError) -> BearerToken {
        guard let token = BearerToken(answer.accessToken?.revealedText, maximumLength: maximumLength) else {
            throw failure("upstream_malformed")
        }
        return token
    }

    /// The API's description of the token's user.
    ///
    /// - Throws: as ``document(in:)``, and `unavailable` for a document that is no object.
    func object(
        at url: String, for token: BearerToken, by deadline: Deadline
    ) async throws(ProviderError) -> JSONObject {
        let response = try await send(.get(url, headers: token.headers), by: deadline)
        guard let object = try document(in: response).object else { throw failure("upstream_malformed") }
        return object
    }

    /// The document in the answer to a request with an access token.
    ///
    /// - Throws: `refused(.upstreamInvalidToken)` if the API refuses the token (401), `unavailable` for every other
    ///   answer that is no JSON with status 200.
    func document(in response: HTTPResponse) throws(ProviderError) -> JSON {
        guard response.status != 401 else { throw .refused(.upstreamInvalidToken) }
        guard response.status == 200 else { throw failure("upstream_unavailable") }
        guard let document = Self.json(in: response) else { throw failure("upstream_malformed") }
        return document
    }
}
