import Cryptography
import Foundation
import Hummingbird
import JSON
import Synchronization

/// An issuer that signs like the gateway, and also tokens that the gateway never issues.
final class TestIssuer: Sendable {
    let address: String
    private let state: State

    /// The keys by their ids, and the number of times that they were read.
    private final class State: Sendable {
        let keys = Mutex<[String: PrivateKey]>([:])
        let reads = Mutex(0)
    }

    var reads: Int { state.reads.withLock { $0 } }

    private init(address: String, state: State) { (self.address, self.state) = (address, state) }

    static func run(_ body: (TestIssuer) async throws -> Void) async throws {
        let state = State()
        state.keys.withLock { keys in keys["k1"] = try? PrivateKey.generateP256() }
        try await withLocalServer({ try Self.answer(to: $0, state) }) { address in
            try await body(TestIssuer(address: address, state: state))
        }
    }

    func addKey(_ id: String) throws {
        let key = try PrivateKey.generateP256()
        state.keys.withLock { $0[id] = key }
    }

    /// A good token, of a user and with a header that differ as given.
    func token(
        _ claims: JSONObject = [:], header: JSONObject = [:], without missing: String? = nil,
        signedBy other: PrivateKey? = nil
    ) throws -> String {
        let now = Int(Date().timeIntervalSince1970)
        var allClaims: JSONObject = [
            "iss": .string(address), "sub": "user-1", "aud": ["app", .string(address + "/v1/account")],
            "iat": .integer(now), "exp": .integer(now + 3600),
        ]
        var fullHeader: JSONObject = ["alg": "ES256", "typ": "at+jwt", "kid": "k1"]
        for member in claims.members { allClaims[member.name] = member.value }
        for member in header.members { fullHeader[member.name] = member.value }
        if let missing { (allClaims[missing], fullHeader[missing]) = (nil, nil) }
        let signed = [fullHeader, allClaims].map { Base64URL.encode(JSON.object($0).bytes()) }.joined(separator: ".")
        let key = other ?? state.keys.withLock { $0[fullHeader["kid"]?.string ?? ""] ?? $0["k1"] }
        let signature = try key.orThrow("The issuer has no key.").sign(Array(signed.utf8), algorithm: .ES256)
        return signed + "." + Base64URL.encode(signature)
    }

    private static func answer(to request: Request, _ state: State) throws -> Response {
        let address = "http://\(request.head.authority ?? "")"
        let document: JSON
        if request.uri.path == "/.well-known/jwks.json" {
            state.reads.withLock { $0 += 1 }
            let keys = state.keys.withLock { keys in
                keys.map { $0.value.publicKey.jwk(id: $0.key, algorithm: .ES256) }
            }
            document = ["keys": .array(keys)]
        } else {
            document = ["issuer": .string(address), "jwks_uri": .string(address + "/.well-known/jwks.json")]
        }
        return Response(
            status: .ok, headers: [.contentType: "application/json"],
            body: .init(byteBuffer: .init(string: document.text)))
    }
}
