import Cryptography
import Foundation
import JSON

/// A token is accepted only with a signature, and only for what another JSON reader finds in it too.
///
/// Reads the input as a token, and as header and claims that a valid key signs: one a line.
enum JWTTarget {
    private static let issuer = "https://issuer.example"
    private static let audience = "app"
    private static let rules = Fixture.made {
        try TokenRules(algorithms: [.ES256, .RS256], issuer: .oneOf([issuer]), audiences: [audience])
    }

    static func read(_ input: [UInt8]) {
        let text = String(decoding: input, as: UTF8.self)
        if let jwt = try? JWT(parsing: text) {
            let parts = text.split(separator: ".", omittingEmptySubsequences: false)
            hold(parts.count == 3 && parts.allSatisfy { Base64URL.decode($0) != nil }, "a token has three parts")
            hold(verified(text) == nil, "a token without our signature is refused")
            hold((try? JWT(parsing: text))?.signedDigest == jwt.signedDigest, "a token has one digest")
        }
        let parts = Input(input, most: 2)
        readSigned(header: parts.bytes(0), claims: parts.bytes(1))
    }

    private static func readSigned(header: [UInt8], claims: [UInt8]) {
        let token = Fixture.token(header: header, claims: claims)
        guard let verified = verified(token) else { return }
        check(header: object(header), claims: object(claims), verified)
        let bytes = Array(token.utf8)
        for place in [verified.signedDigest[0], verified.signedDigest[1]].map({ Int($0) * 7 }) {
            let changed = String(decoding: bytes.flipped(place), as: UTF8.self)
            hold(Self.verified(changed) == nil, "a changed token is refused")
        }
    }

    private static func verified(_ token: String) -> VerifiedClaims? {
        guard let jwt = try? JWT(parsing: token) else { return nil }
        return try? JWTVerifier(rules).verify(jwt, key: Fixture.key.publicKey, at: Fixture.now)
    }

    private static func object(_ bytes: [UInt8]) -> [String: Any] {
        (try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]) ?? [:]
    }

    private static func check(header: [String: Any], claims: [String: Any], _ verified: VerifiedClaims) {
        hold(header["alg"] as? String == "ES256" && header["kid"] is String, "the header names algorithm and key")
        hold(["crit", "b64", "zip", "enc"].allSatisfy { header[$0] == nil }, "no extension is accepted")
        hold((header["typ"] as? String).map { $0.uppercased() == "JWT" } ?? (header["typ"] == nil), "the type is JWT")
        hold(claims["iss"] as? String == issuer && verified.issuer == issuer, "the issuer is allowed")
        hold(claims["sub"] as? String == verified.subject && !verified.subject.isEmpty, "the subject is the claim")
        let audiences = claims["aud"] as? [String] ?? [claims["aud"] as? String ?? ""]
        hold(audiences.allSatisfy { $0 == audience }, "the audience is ours")
        let times = ["exp", "iat"].map { (claims[$0] as? NSNumber)?.doubleValue ?? .nan }
        let now = Fixture.now.timeIntervalSince1970
        hold(times[0] + 60 > now && times[1] <= now + 60, "the times are present")
        hold(claims["events"] == nil, "no security event is accepted")
    }
}
