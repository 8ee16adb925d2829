import Hummingbird

/// An API for users of the login gateway.
///
/// `GET /me` checks the access token offline. `GET /me/online` also asks the gateway whether the session still exists.
@main
struct SampleAPI {
    static func main() async throws {
        // Read at once: a start without the secret fails with its message.
        _ = Setting.clientSecret
        let router = Router()
        router.add(
            middleware: CORSMiddleware(
                allowOrigin: .oneOf(Setting.website), allowHeaders: [.authorization], allowMethods: [.get]))
        router.get("me") { request, _ in
            try await User(of: request, checkedBy: AccessToken.userID)
        }
        router.get("me/online") { request, _ in
            try await User(of: request) { token in
                // First offline: tokens that anyone can make up cause no call of the gateway.
                _ = try await AccessToken.userID(of: token)
                return try await Introspection.userID(of: token)
            }
        }
        let address = BindAddress.hostname("127.0.0.1", port: Setting.port)
        try await Application(router: router, configuration: .init(address: address)).runService()
    }
}

/// The answer of both routes.
struct User: ResponseEncodable {
    let id: String

    /// Reads the bearer token of a request (RFC 6750), and refuses the request if the check throws.
    init(of request: Request, checkedBy userID: (String) async throws -> String) async throws {
        let words = request.headers[.authorization]?.split(separator: " ") ?? []
        guard words.count == 2, words[0].lowercased() == "bearer" else { throw HTTPError.tokenMissing }
        do {
            id = try await userID(String(words[1]))
        } catch let error as HTTPError {
            throw error
        } catch {
            throw HTTPError.tokenInvalid
        }
    }
}

extension HTTPError {
    static let tokenMissing = HTTPError(
        .unauthorized, headers: [.wwwAuthenticate: #"Bearer realm="sample-api""#], message: "Send an access token.")
    /// A client library refreshes its token after this answer, and tries once more.
    static let tokenInvalid = HTTPError(
        .unauthorized, headers: [.wwwAuthenticate: #"Bearer realm="sample-api", error="invalid_token""#],
        message: "The access token is not valid. Refresh it or sign in again.")
    static let gatewayUnavailable = HTTPError(
        .serviceUnavailable, message: "The login gateway does not answer. Try again later.")
}
