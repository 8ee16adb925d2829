import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Vocabulary

extension NativeAuthCalls {
    /// Answers a call; a refusal becomes an error of the protocol's OAuth endpoints.
    func answer(
        _ action: String, _ request: Request, _ context: GatewayContext, _ ids: NativeAuthIDs,
        _ body: (inout DoorCall) async throws -> Response
    ) async throws -> Response {
        var call = DoorCall(action, request, context)
        return try await log.answer(&call, body) { error, _ in
            if let error = error as? NativeAuthError {
                return RefusedCall(error.code, of: nil) { _ in .native(error, ids) }
            }
            if let problem = error as? Problem {
                return RefusedCall(problem.code, of: nil) { _ in .native(.parameter("request"), ids) }
            }
            let rejection = Rejection(error, logger)
            return RefusedCall(rejection.code, of: rejection) { _ in
                let redirect = NativeAuthRedirect(rejection, publicURL: publicURL)
                return redirect.map { .native($0.json, ids) } ?? .native(NativeAuthError(rejection), ids)
            }
        }
    }
}

/// A step that only a browser can answer: status 200, `challenge_type` is `redirect`.
struct NativeAuthRedirect: Error {
    let reason: String

    /// The body in version 1.
    var json: JSON { ["challenge_type": "redirect", "redirect_reason": .string(reason)] }
}

extension NativeAuthRedirect {
    /// Nil for a refusal that a browser cannot solve.
    init?(_ rejection: Rejection, publicURL: String) {
        switch rejection {
        case .botCheckRequired, .botCheckFailed: self.init(reason: "A bot check is required.")
        // The account page can cancel the deletion.
        case .deletionWaits:
            self.init(reason: "The account will be deleted. To keep it, sign in at \(publicURL)/account")
        default: return nil
        }
    }
}

extension Response {
    /// An answer of native authentication.
    static func native(
        _ json: JSON, _ ids: NativeAuthIDs, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) -> Response {
        var headers = headers
        headers[.clientRequestID] = ids.correlation
        headers[.microsoftRequestID] = ids.trace
        return .json(json, status: status, headers: headers)
    }

    /// A refusal of version 1.
    fileprivate static func native(_ error: NativeAuthError, _ ids: NativeAuthIDs) -> Response {
        .native(error.json(ids), ids, status: .badRequest)
    }
}
