import Foundation
import Hummingbird
import JWTKit

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests to the gateway.
enum Gateway {
    private struct Metadata: Decodable {
        let keysAddress: URL

        enum CodingKeys: String, CodingKey { case keysAddress = "jwks_uri" }
    }

    static func keys() async throws -> JWKS {
        let metadata: Metadata = try await answer(to: URLRequest(url: address("/.well-known/openid-configuration")))
        return try await answer(to: URLRequest(url: metadata.keysAddress))
    }

    static func address(_ path: String) throws -> URL {
        guard let url = URL(string: Setting.issuer + path) else { throw HTTPError.gatewayUnavailable }
        return url
    }

    /// Anything but a readable answer is a failure of this server, not of the token.
    static func answer<Answer: Decodable>(to request: URLRequest) async throws -> Answer {
        var request = request
        request.timeoutInterval = 5
        guard let (body, response) = try? await URLSession.shared.data(for: request),
            (response as? HTTPURLResponse)?.statusCode == 200,
            let answer = try? JSONDecoder().decode(Answer.self, from: body)
        else { throw HTTPError.gatewayUnavailable }
        return answer
    }
}
