import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Logging
import NIOCore
import OperatorAccess
import Operators

/// Calls that create something.
extension AdminDoor {
    /// Answers a call that creates something: with an `Idempotency-Key` a repeated call gets the first answer.
    ///
    /// - Parameter body: creates it in the transaction that spends the second value, and returns the answer.
    func creating(
        _ action: AdminAction, _ request: Request, _ context: GatewayContext,
        _ body: (AdminActor, Once?) async throws -> JSON
    ) async throws -> Response {
        try await answer(action, request, context) { actor, _ in
            guard let key = request.headers.value(.idempotencyKey) else {
                return .json(try await body(actor, nil), status: .created)
            }
            let call = try services.idempotency.call(key, of: try await Self.whole(request), by: actor)
            if let first = try await services.idempotency.answer(to: call, action, actor) {
                return .json(first, status: .created, headers: [.idempotencyReplayed: "true"])
            }
            let made = try await body(actor, .call(call))
            do {
                try await services.idempotency.keep(made, of: call)
            } catch {
                // The object exists, and its caller gets the answer now.
                logger.warning("an answer was not kept for a repeated call", metadata: ["error": "\(type(of: error))"])
            }
            return .json(made, status: .created)
        }
    }

    /// The method, path and body, which a repeated call must not change.
    private static func whole(_ request: Request) async throws -> [UInt8] {
        let body = try await BodyLimit.body(of: request)
        return Array("\(request.method.rawValue) \(request.uri.path)\n".utf8) + Array(body.readableBytesView)
    }
}

extension HTTPField.Name {
    fileprivate static let idempotencyKey = known("Idempotency-Key")
    fileprivate static let idempotencyReplayed = known("Idempotency-Replayed")
}
