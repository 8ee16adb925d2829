import FoundationEssentials
import JSON
import Testing

@testable import Cryptography

/// Makes tokens that are valid except for a test's changes.
///
/// Setting a member to `null` removes it.
enum TokenForge {
    static let now = Date(timeIntervalSince1970: 1_700_000_000)
    static let nowSeconds = 1_700_000_000
    static let issuer = "https://issuer.example"

    static func rules(maximumAge: Int? = nil, maximumLifetime: Int? = nil) throws -> TokenRules {
        try TokenRules(
            algorithms: [.RS256], issuer: .oneOf([issuer]), audiences: ["app"], maximumAge: maximumAge,
            maximumLifetime: maximumLifetime)
    }

    static func header(_ changes: JSONObject = [:]) -> JSONObject {
        changed(["alg": "RS256", "kid": "k1", "typ": "JWT"], changes)
    }

    static func claims(_ changes: JSONObject = [:]) -> JSONObject {
        changed(
            [
                "iss": .string(issuer), "sub": "alice", "aud": "app", "iat": .integer(nowSeconds - 10),
                "exp": .integer(nowSeconds + 600),
            ], changes)
    }

    static func changed(_ object: JSONObject, _ changes: JSONObject) -> JSONObject {
        var object = object
        for change in changes.members {
            object[change.name] = change.value.isNull ? JSON?.none : change.value
        }
        return object
    }

    /// Signed with the shared RSA key.
    static func token(header: JSONObject = header(), claims: JSONObject = claims()) throws -> String {
        try token(header: JSON.object(header).bytes(), claims: JSON.object(claims).bytes())
    }

    static func token(header: [UInt8], claims: [UInt8]) throws -> String {
        let signed = Base64URL.encode(header) + "." + Base64URL.encode(claims)
        let signature = try TestKeys.rsa.get().sign(Array(signed.utf8), algorithm: .RS256)
        return signed + "." + Base64URL.encode(signature)
    }

    /// The refusal of a verifier with all checks in order; `nil` if it accepts.
    static func refusal(of token: String, rules: TokenRules) throws -> TokenRefusal? {
        let key = try TestKeys.rsa.get().publicKey
        do throws(TokenRefusal) {
            let jwt = try JWT(parsing: token)
            if let refusal = JWTVerifier.headerRefusal(of: jwt, rules: rules) { return refusal }
            _ = try JWTVerifier(rules).verify(jwt, key: key, at: now)
            return nil
        } catch {
            return error
        }
    }

    static func refusal(header: JSONObject = [:], claims: JSONObject = [:]) throws -> TokenRefusal? {
        try refusal(
            of: token(header: self.header(header), claims: self.claims(claims)), rules: rules())
    }
}
