public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Session {
    /// The same request with the user's access token, for any HTTP client.
    ///
    /// It refuses an address that is neither the gateway's nor one of the client's back ends. With `proofOfPossession`
    /// the request also has a proof, so it can be sent once (RFC 9449 section 7.1).
    public func authorized(_ request: URLRequest) async throws -> URLRequest {
        try check(request.url)
        return try await circumstances.api.authorized(request, .token(try await access()))
    }

    /// Sends a request to your back end with the user's access token.
    ///
    /// A 401 is repeated once with a new token, unless it is a ``StepUpDemand``. Redirects are not followed.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try check(request.url)
        let token = try await access()
        let answer = try await circumstances.api.exchange(request, .token(token))
        guard Self.mayBeRenewed(answer.1) else { return answer }
        let fresh = try await renewed(insteadOf: token)
        return try await circumstances.api.exchange(request, .token(fresh))
    }

    /// Whether another token may help: not against a refused proof, nor if the user has to prove more.
    private static func mayBeRenewed(_ response: HTTPURLResponse) -> Bool {
        let others = [StepUpDemand.error, ErrorCode.useDPoPNonce.rawValue, ErrorCode.invalidDPoPProof.rawValue]
        return response.statusCode == 401 && Set(others).isDisjoint(with: response.challengeErrors)
    }

    private nonisolated func check(_ url: URL?) throws {
        guard let url else { throw URLError(.badURL) }
        guard url.carriesTokensSafely else { throw GatewayError.insecureAddress(url) }
        let known = [circumstances.api.url] + circumstances.api.backEnds
        guard known.contains(where: url.hasOrigin) else { throw GatewayError.foreignAddress(url) }
    }
}
