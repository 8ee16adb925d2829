import Authorization
import HTTPServer
import Hummingbird
import Vocabulary

/// A door whose refusals have the form of RFC 6749 §5.2, so that unmodified clients can read them.
///
/// RFC 7009 §2.2.1, RFC 7662 §2.3 and RFC 9126 §2.3 require the same form.
protocol OAuthDoor: FrontDoor {
    var log: CallLog { get }
}

extension OAuthDoor {
    /// Answers a call.
    func answer(
        _ action: String, _ request: Request, _ context: GatewayContext,
        _ body: (inout DoorCall) async throws -> Response
    ) async throws -> Response {
        var call = DoorCall(action, request, context)
        return try await log.answer(&call, body) { error, call in
            let (rejection, fault) = (error as? Rejection, error as? AuthorizationFault)
            let known = (error as? Problem) ?? rejection.map { Problem($0, in: call) } ?? fault.map(Problem.init)
            guard let problem = known else { throw error }
            return RefusedCall(problem.code, of: rejection) { _ in
                OAuthError(problem, word: fault?.word.rawValue).response(problem, requestID: context.requestID)
            }
        }
    }
}

extension Problem {
    fileprivate init(_ fault: AuthorizationFault) {
        self.init(.badRequest, code: "invalid_request", detail: fault.description)
    }
}
