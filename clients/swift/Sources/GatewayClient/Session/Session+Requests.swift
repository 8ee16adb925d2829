public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Session {
    /// The same request with the user's access token, for any HTTP client.
    ///
    /// It refuses an address that is neither the gateway's nor one of the client's back ends.
    public func authorized(_ request: URLRequest) async throws -> URLRequest {
        try check(request.url)
        return Self.authorize(request, with: try await accessToken())
    }

    /// Sends a request to your back end with the user's access token.
    ///
    /// A 401 is repeated once with a new token. Redirects are not followed.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try check(request.url)
        let token = try await accessToken()
        let answer = try await circumstances.api.exchange(Self.authorize(request, with: token))
        guard answer.1.statusCode == 401 else { return answer }
        let fresh = try await renewed(insteadOf: token)
        return try await circumstances.api.exchange(Self.authorize(request, with: fresh))
    }

    private nonisolated func check(_ url: URL?) throws {
        guard let url else { throw URLError(.badURL) }
        guard url.carriesTokensSafely else { throw GatewayError.insecureAddress(url) }
        let known = [circumstances.api.url] + circumstances.api.backEnds
        guard known.contains(where: url.hasOrigin) else { throw GatewayError.foreignAddress(url) }
    }

    private static func authorize(_ request: URLRequest, with token: String) -> URLRequest {
        var authorized = request
        authorized.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return authorized
    }
}
