import Foundation
public import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension FakeGateway {
    /// A call that an app made.
    public struct Call: Sendable, CustomStringConvertible {
        /// Method and path, such as `POST /v1/sign-in`.
        public let name: String
        /// The JSON of the body.
        public let body: JSONValue?
        /// The header fields, by their names in lower case.
        public let headers: [String: String]

        /// The name.
        public var description: String { name }

        init(_ request: URLRequest) {
            name = "\(request.httpMethod ?? "GET") \(request.url?.path ?? "")"
            body = request.httpBody.flatMap { try? JSONDecoder().decode(JSONValue.self, from: $0) }
            headers = Dictionary((request.allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }) { $1 }
        }

        /// The token of the header `Authorization`.
        var accessToken: String? { headers["authorization"]?.split(separator: " ").last.map(String.init) }

        var hasProof: Bool { headers["dpop"] != nil }

        /// Whether the script answers it.
        var isOfSignIn: Bool { Self.signIns.contains(name) }

        private static let signIns: Set = [
            "POST /v1/sign-in", "POST /v1/sign-in/continue", "POST /v1/sign-in/resend", "POST /v1/sign-up",
            "POST /v1/sign-up/confirm", "POST /v1/sign-up/resend", "POST /v1/password/forgot",
            "POST /v1/password/reset",
            "POST /v1/session/step-up",
        ]
    }
}
