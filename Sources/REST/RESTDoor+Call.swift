import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Sessions
import Vocabulary

extension RESTDoor {
    /// Answers a call.
    ///
    /// A refusal becomes a problem.
    ///
    /// - Parameter resource: what an access token opens here; a refusal of the token names its metadata.
    func answer(
        _ action: String, _ request: Request, _ context: GatewayContext, guarding resource: OwnResource? = nil,
        _ body: (inout DoorCall) async throws -> Response
    ) async throws -> Response {
        var call = DoorCall(action, request, context)
        return try await calls.log.answer(&call) { call in
            try await call.prove(request, by: calls.proofs)
            return try await body(&call)
        } refusing: { error, call in
            let rejection = error as? Rejection
            let problem = (error as? Problem) ?? rejection.map { Problem($0, in: call) }
            guard let problem else { throw error }
            return RefusedCall(problem.code, of: rejection, detail: problem.errors.auditDetail) { _ in
                throw resource.map { problem.naming($0, context) } ?? problem
            }
        }
    }

    /// Answers a call of a signed-in user.
    ///
    /// - Parameters:
    ///   - audience: the required audience of the token and its client; nil accepts every app's session.
    ///   - parameters: the possible ones of the query.
    ///   - isHarmless: see ``DoorCall/isBy(_:isHarmless:)``.
    func answerSignedIn(
        _ action: String, _ request: Request, _ context: GatewayContext, for audience: Audience? = .account,
        parameters: [String] = [], isHarmless: Bool = false,
        _ body: (inout DoorCall, SessionSnapshot) async throws -> Response
    ) async throws -> Response {
        try await answer(action, request, context, guarding: OwnResource(audience)) { call in
            guard let token = request.headers.accessToken(provedBy: call.caller.key) else {
                throw Rejection.tokenMissing
            }
            let session = try await directory.check(token, for: audience, at: directory.now)
            try call.isBy(session, isHarmless: isHarmless)
            if let audience {
                // Settings may have changed since the token was issued.
                guard clients.usesOwnAPI(session) else { throw Rejection.audienceNotAllowed }
                try clients.require(audience, of: session)
                try request.limitQuery(to: parameters)
            }
            return try await body(&call, session)
        }
    }
}
