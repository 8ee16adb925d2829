import Foundation
import Testing

@testable import GatewayClient

/// A proof as a server reads it: verified by the key of its own header.
struct ReadProof {
    let header: [String: JSONValue]
    let claims: [String: JSONValue]

    init(_ text: String) throws {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        try #require(parts.count == 3)
        (header, claims) = (try Self.members(parts[0]), try Self.members(parts[1]))
        let jwk = try #require(header["jwk"])
        let point = try ["x", "y"].map { try #require(jwk[$0]?.string.flatMap(Base64URL.decode)) }
        let signature = try #require(Base64URL.decode(parts[2]))
        #expect(signature.count == 64)
        let bytes = Data("\(parts[0]).\(parts[1])".utf8)
        #expect(try OpenSSL.verify(signature, of: bytes, point: point[0] + point[1]), "the signature is wrong")
    }

    var nonce: String? { claims["nonce"]?.string }
    var number: String? { claims["jti"]?.string }
    var key: JSONValue? { header["jwk"] }

    private static func members(_ part: String) throws -> [String: JSONValue] {
        try JSONDecoder().decode([String: JSONValue].self, from: try #require(Base64URL.decode(part)))
    }
}

extension ScriptedTransport.Received {
    /// The proof of the request, verified; nil if it has none.
    func proof() throws -> ReadProof? { try proofText.map(ReadProof.init) }

    /// Foundation on Linux writes the name in another case.
    var proofText: String? { headers.first { $0.key.lowercased() == "dpop" }?.value }
}

extension Rehearsal {
    /// A client that wants bound tokens.
    static func proving(store: any TokenStore = MemoryTokenStore()) throws -> Rehearsal {
        try Rehearsal(store: store, signer: OpenSSL())
    }

    /// Signs in with bound tokens.
    func signedInBound() async throws -> Session { try await signedIn(Sample.tokens(1, type: "DPoP")) }

    /// The proofs of all requests, one in each.
    func proofs(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) async throws -> [ReadProof] {
        let proofs = try await transport.received.compactMap { try $0.proof() }
        try #require(await transport.received.count == count, sourceLocation: sourceLocation)
        try #require(proofs.count == count, sourceLocation: sourceLocation)
        return proofs
    }
}
