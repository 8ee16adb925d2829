import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// An access token; if it is bound to a key, it is sent with a proof.
struct AccessToken: Sendable {
    let value: Secret
    let isBound: Bool

    /// Whether tokens of this type are bound to a key (RFC 9449 section 5); a missing type is `Bearer`.
    static func isBound(_ type: String?) -> Bool { type?.lowercased() == "dpop" }
}

/// What authorises a request.
enum Authority: Sendable {
    /// Nothing.
    case none
    /// The proof of the key that a session of the answer is bound to, if the app wants such sessions.
    case proof
    /// The user's access token.
    case token(AccessToken)
}

extension API {
    /// Sends a request; a second time if the server asks for a nonce in the proof (RFC 9449 sections 8 and 9).
    func exchange(_ request: URLRequest, _ authority: Authority) async throws -> (Data, HTTPURLResponse) {
        let sent = try await authorized(request, authority)
        let answer = try await exchange(sent)
        let isProved = sent.value(forHTTPHeaderField: "DPoP") != nil
        guard isProved, Self.asksForNonce(answer.0, answer.1) else { return answer }
        return try await exchange(try await authorized(request, authority))
    }

    /// The request with the token under its scheme, and with the proof (RFC 9449 section 7.1).
    func authorized(_ request: URLRequest, _ authority: Authority) async throws -> URLRequest {
        var authorized = request
        switch authority {
        case .none: break
        case .proof: try await prove(&authorized, token: nil)
        case .token(let token):
            let scheme = token.isBound ? "DPoP" : "Bearer"
            authorized.setValue("\(scheme) \(token.value.value)", forHTTPHeaderField: "Authorization")
            if token.isBound { try await prove(&authorized, token: token.value) }
        }
        return authorized
    }

    private func prove(_ request: inout URLRequest, token: Secret?) async throws {
        guard let prover, let url = request.url else { return }
        let proof = try await prover.proof(for: request.httpMethod ?? "GET", url, token: token)
        request.setValue(proof, forHTTPHeaderField: "DPoP")
    }

    /// Whether the server refuses a proof only for its nonce, and names another one.
    private static func asksForNonce(_ data: Data, _ response: HTTPURLResponse) -> Bool {
        let hasNonce = response.value(forHTTPHeaderField: "DPoP-Nonce") != nil
        guard hasNonce, [400, 401].contains(response.statusCode) else { return false }
        let code = ErrorCode.useDPoPNonce
        return refusal(data, response).code == code || response.challengeErrors.contains(code.rawValue)
    }
}

extension Circumstances {
    /// The thumbprint of the key that the tokens of an answer are bound to; nil for bearer tokens.
    func boundKey(_ type: String?) async throws -> String? {
        AccessToken.isBound(type) ? try await api.prover?.thumbprint() : nil
    }
}
