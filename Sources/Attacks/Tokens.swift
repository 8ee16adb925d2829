import Cryptography
import JSON

/// The tokens of a session.
struct Tokens: Sendable {
    let access: String
    let refresh: String
    let identity: String?
}

extension Target {
    /// Signs the test account in, and gets tokens.
    func signIn() async throws -> Tokens {
        let (account, app) = (try account(), try app())
        let request = AttackRequest.json(
            "/v1/sign-in",
            [
                "provider": "password", "client_id": .string(app.id), "scope": "openid",
                "credential": ["username": .string(account.email), "password": .string(account.password.revealedText)],
            ])
        let answer = try await send(request)
        return try tokens(in: answer.json["session"] ?? .null, "the test account could not sign in", answer)
    }

    func refresh(_ token: String) async throws -> Tokens {
        let answer = try await send(Self.refreshing(token))
        return try tokens(in: answer.json["session"] ?? answer.json, "no refresh", answer)
    }

    static func refreshing(_ token: String) -> AttackRequest {
        .json("/v1/token/refresh", ["refresh_token": .string(token)])
    }

    private func tokens(in session: JSON, _ fault: String, _ answer: AttackAnswer) throws(NotTried) -> Tokens {
        guard let access = session["access_token"]?.string, let refresh = session["refresh_token"]?.string else {
            let code = answer.json["code"]?.string ?? answer.json["next_step"]?["type"]?.string ?? ""
            throw NotTried("\(fault): \(answer.status) \(code)", isWrongArgument: true)
        }
        return Tokens(access: access, refresh: refresh, identity: session["id_token"]?.string)
    }

    /// Texts and bytes of the published keys that a careless server takes for an HMAC secret.
    func publishedSecrets() async throws -> [[UInt8]] {
        let keys = try await send(.get("/.well-known/jwks.json")).json["keys"]?.array ?? []
        return keys.flatMap { key in
            let numbers = ["n", "x"].compactMap { key[$0]?.string.flatMap { Base64URL.decode($0) } }
            return numbers + [key.bytes()] + (Self.pem(key).map { [Array($0.utf8)] } ?? [])
        }
    }

    /// The PEM text of a P-256 key (RFC 5480).
    private static func pem(_ key: JSON) -> String? {
        guard let x = key["x"]?.string.flatMap({ Base64URL.decode($0) }),
            let y = key["y"]?.string.flatMap({ Base64URL.decode($0) }), x.count == 32, y.count == 32
        else { return nil }
        let head = Base64URL.decode("MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE") ?? []
        let text = Base64URL.encode(head + x + y).replacing("-", with: "+").replacing("_", with: "/")
        return "-----BEGIN PUBLIC KEY-----\n\(text.prefix(64))\n\(text.dropFirst(64))==\n-----END PUBLIC KEY-----\n"
    }
}

/// A token taken apart, to be put together otherwise.
struct TokenParts: Sendable {
    var header: JSONObject
    var claims: JSONObject
    var signature: [UInt8]

    init(_ token: String) throws(NotTried) {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false).map { Base64URL.decode($0) ?? [] }
        guard parts.count == 3, let header = (try? JSON(parsing: parts[0]))?.object,
            let claims = (try? JSON(parsing: parts[1]))?.object
        else { throw NotTried("the access token is no JWT") }
        (self.header, self.claims, signature) = (header, claims, parts[2])
    }

    private var signed: String {
        [header, claims].map { Base64URL.encode(JSON.object($0).bytes()) }.joined(separator: ".")
    }

    var text: String { "\(signed).\(Base64URL.encode(signature))" }

    /// With other members of the header; nil removes one.
    func header(_ changes: [String: JSON?]) -> TokenParts {
        var parts = self
        for (name, value) in changes { parts.header[name] = value }
        return parts
    }

    /// With other claims, and the old signature.
    func claims(_ changes: [String: JSON]) -> TokenParts {
        var parts = self
        for (name, value) in changes { parts.claims[name] = value }
        return parts
    }

    func unsigned() -> TokenParts {
        var parts = self
        parts.signature = []
        return parts
    }

    func signed(_ sign: ([UInt8]) throws -> [UInt8]) rethrows -> TokenParts {
        var parts = self
        parts.signature = try sign(Array(signed.utf8))
        return parts
    }
}
