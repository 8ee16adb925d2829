public import Foundation

#if canImport(FoundationNetworking)
    public import FoundationNetworking
#endif

extension Session {
    /// The same request with the user's access token, for any HTTP client.
    ///
    /// It refuses an address that is neither https nor this machine.
    public func authorized(_ request: URLRequest) async throws -> URLRequest {
        try Self.authorize(request, with: try await accessToken())
    }

    /// Sends a request to your back end with the user's access token.
    ///
    /// A 401 is repeated once with a new token. Redirects are not followed.
    public func data(for request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let token = try await accessToken()
        let answer = try await circumstances.api.exchange(try Self.authorize(request, with: token))
        guard answer.1.statusCode == 401 else { return answer }
        let fresh = try await renewed(insteadOf: token)
        return try await circumstances.api.exchange(try Self.authorize(request, with: fresh))
    }

    private static func authorize(_ request: URLRequest, with token: String) throws -> URLRequest {
        guard let url = request.url, url.carriesTokensSafely else {
            throw GatewayError.insecureAddress(request.url ?? URL(fileURLWithPath: "/"))
        }
        var authorized = request
        authorized.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        return authorized
    }
}
