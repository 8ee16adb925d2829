import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The gateway's answer to the question whether a token's session still exists (RFC 7662).
struct Introspection: Decodable {
    let active: Bool, type: String?, sub: String?

    enum CodingKeys: String, CodingKey { case active, type = "token_type", sub }

    static func userID(of token: String) async throws -> String {
        var request = URLRequest(url: try Gateway.address("/v1/token/introspect"))
        request.httpMethod = "POST"
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        let client = Data("\(Setting.clientID):\(Setting.clientSecret)".utf8).base64EncodedString()
        request.setValue("Basic \(client)", forHTTPHeaderField: "Authorization")
        let field = token.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
        request.httpBody = Data("token=\(field)".utf8)
        let answer: Introspection = try await Gateway.answer(to: request)
        guard answer.active, answer.type == "Bearer", let id = answer.sub else { throw TokenRefused() }
        return id
    }
}
