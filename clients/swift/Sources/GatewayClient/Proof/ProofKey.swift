import Foundation

/// The key of a client's proofs; no dump shows it.
struct ProofKey: Sendable, CustomStringConvertible, CustomReflectable {
    let bytes: Data
    let shown: ShownKey
    /// `cnf.jkt` of the tokens that are bound to the key (RFC 9449 section 6.1).
    let thumbprint: String

    init(_ bytes: Data, _ signer: any ProofSigning) throws {
        shown = try ShownKey(point: try signer.publicKey(of: bytes))
        (self.bytes, thumbprint) = (bytes, try shown.thumbprint(by: signer))
    }

    var description: String { "(secret)" }
    var customMirror: Mirror { Mirror(self, children: []) }
}

/// A public P-256 key as JSON (RFC 7518 section 6.2.1).
struct ShownKey: Encodable, Sendable {
    let crv = "P-256"
    let kty = "EC"
    let x: String
    let y: String

    init(point: Data) throws {
        guard point.count == 64 else { throw CocoaError(.coderInvalidValue) }
        (x, y) = (Base64URL.encode(point.prefix(32)), Base64URL.encode(point.suffix(32)))
    }

    /// The hash of the members in alphabetical order, as the encoder writes them (RFC 7638).
    func thumbprint(by hasher: some SHA256Hashing) throws -> String {
        Base64URL.encode(hasher.sha256(try API.encoder.encode(self)))
    }
}
