import Cryptography
import Foundation
import JSON
import Testing

/// Tokens with one fault each, which a back end must refuse offline.
enum TokenFault: CaseIterable {
    case expired, withoutExpiry, otherIssuer, otherAudience, emptyAudience, idToken, withoutType, noAlgorithm
    case otherAlgorithm, otherKey, unknownKey, changedClaims, noToken

    func token(of issuer: TestIssuer) throws -> String {
        switch self {
        case .expired: try issuer.token(["exp": .integer(Int(Date().timeIntervalSince1970) - 60)])
        case .withoutExpiry: try issuer.token(without: "exp")
        case .otherIssuer: try issuer.token(["iss": .string(issuer.address + "/")])
        case .otherAudience: try issuer.token(["aud": ["other", "application"]])
        case .emptyAudience:
            Tokens.replacingPayload(of: try issuer.token(), by: JSON.object(["aud": []]).bytes())
        case .idToken: try issuer.token(header: ["typ": "JWT"])
        case .withoutType: try issuer.token(without: "typ")
        case .noAlgorithm: Tokens.replacing(2, of: try issuer.token(header: ["alg": "none"]), by: "")
        case .otherAlgorithm: try issuer.token(header: ["alg": "HS256"])
        case .otherKey: try issuer.token(signedBy: try PrivateKey.generateP256())
        case .unknownKey: try issuer.token(header: ["kid": "k9"])
        case .changedClaims:
            Tokens.replacingPayload(of: try issuer.token(), by: try Self.claims(issuer.token(["sub": "user-2"])))
        case .noToken: "no.token.at-all"
        }
    }

    private static func claims(_ token: String) throws -> [UInt8] {
        JSON.object(try #require(Tokens.object(token, part: 1))).bytes()
    }
}
