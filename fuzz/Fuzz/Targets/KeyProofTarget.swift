import Cryptography
import Foundation
import JSON

@testable import Sessions

/// A key proof (DPoP) is accepted only for its request, its token and its time.
///
/// Reads the header and the claims, one a line. A `jwk` of `0` becomes the key that signs.
enum KeyProofTarget {
    private static let request = ProvedRequest(method: "POST", path: "/token", at: "https://login.example")
    private static let token = "at"

    static func read(_ input: [UInt8]) {
        let parts = Input(input, most: 2)
        var header = parts.bytes(0)
        if var object = (try? JSON(parsing: header))?.object, object["jwk"]?.integer == 0 {
            object["jwk"] = Fixture.key.publicKey.jwk(id: "k", algorithm: .ES256)
            header = JSON.object(object).bytes()
        }
        let text = Fixture.token(header: header, claims: parts.bytes(1))
        guard let proof = KeyProof(text, for: request, with: token, at: Fixture.now) else { return }
        let claims = (try? JSONSerialization.jsonObject(with: Data(parts.bytes(1))) as? [String: Any]) ?? [:]
        hold(claims["htm"] as? String == "POST", "the method is the request's")
        hold((claims["htu"] as? String).map(isHere) ?? false, "the address is the request's")
        hold(claims["ath"] as? String == Base64URL.encode(SHA256.hash(token)), "the token is the request's")
        hold((0...601).contains(proof.life), "the ledger keeps a proof while it is valid")
        hold(proof.thumbprint == Fixture.key.publicKey.thumbprint, "the key is the one that signed")
        hold(KeyProof(text, for: request, with: "other", at: Fixture.now) == nil, "another token is refused")
        hold(
            KeyProof(text, for: request, with: token, at: Fixture.now.addingTimeInterval(601)) == nil,
            "an old proof is refused")
    }

    private static func isHere(_ address: String) -> Bool {
        guard let url = URL(string: address) else { return false }
        return url.scheme?.lowercased() == "https" && url.host(percentEncoded: false)?.lowercased() == "login.example"
            && (url.port ?? 443) == 443 && url.path().removingPercentEncoding == "/token"
    }
}
