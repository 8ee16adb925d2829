import AdminHTTP
import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import OperatorAccess
import Vocabulary

extension AdminDoor {
    /// Answers an operator's call.
    ///
    /// A refusal becomes a problem.
    ///
    /// - Parameter parameters: the possible ones of the query.
    func answer(
        _ action: AdminAction, _ request: Request, _ context: GatewayContext, parameters: [String] = [],
        _ body: (AdminActor, inout DoorCall) async throws -> Response
    ) async throws -> Response {
        var call = DoorCall(action.rawValue, request, context)
        return try await log.answer(&call) { call in
            let actor = try await actor(request, &call)
            try request.limitQuery(to: parameters)
            return try await body(actor, &call)
        } refusing: { error, call in
            let problem = problem(error)
            let key = call.caller.accessKey.map { JSON.object(["key": .string($0)]).text }
            return RefusedCall(problem.code, of: error as? Rejection, detail: key) { _ in
                throw problem.naming(OwnResource(.administration), context)
            }
        }
    }

    private func problem(_ error: any Error) -> Problem {
        switch error {
        case let problem as Problem: problem
        case let refusal as AdminRefusal: Problem(refusal)
        default: Problem(Rejection(error, logger))
        }
    }

    static func pathID(_ context: GatewayContext, _ name: String = "id") throws(AdminRefusal) -> UUID {
        guard let id = context.parameters.get(name).flatMap({ UUID(uuidString: $0) }) else { throw .notFound }
        return id
    }

    static func id(_ body: JSONObject, _ name: String) throws(AdminRefusal) -> UUID {
        guard let id = body[name]?.string.flatMap({ UUID(uuidString: $0) }) else {
            throw .invalidMember(pointer: "/\(name)", reason: body[name] == nil ? "required" : "must_be_id")
        }
        return id
    }

    static func text(_ body: JSONObject, _ name: String, most: Int = 255) throws(AdminRefusal) -> String {
        do {
            return try body.requiredText(name, most: most)
        } catch {
            throw .invalidMember(
                pointer: error.pointer, reason: error.reason == .tooLong ? "too_long" : "required")
        }
    }

    static func reason(_ body: JSONObject) throws(AdminRefusal) -> Reason {
        guard body["reason"] == nil || body["reason"]?.string != nil else {
            throw .invalidMember(pointer: "/reason", reason: "must_be_text")
        }
        return try Reason(body["reason"]?.string)
    }

    /// A number of the query; nil if it is absent.
    static func number(_ request: Request, _ name: String) throws(AdminRefusal) -> Int? {
        guard let text = request.uri.queryParameters[Substring(name)] else { return nil }
        guard let number = Int(text), number > 0 else {
            throw .invalidMember(pointer: "/\(name)", reason: "must_be_positive_number")
        }
        return number
    }
}
