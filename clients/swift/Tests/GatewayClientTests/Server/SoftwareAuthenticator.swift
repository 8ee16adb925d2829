import Foundation
import Testing

@testable import GatewayClient

/// A platform authenticator with one passkey, its key made and used by `openssl`.
actor SoftwareAuthenticator: PasskeyAuthenticator {
    private let origin: String
    private let id = Data((0..<16).map { _ in UInt8.random(in: .min ... .max) })
    private let keyFile = FileManager.default.temporaryDirectory.appendingPathComponent("passkey-\(UUID().uuidString)")
    private let point: Data
    private var user = Data()
    private var counter: UInt8 = 0

    init(origin: URL) throws {
        self.origin = "\(origin.scheme ?? "")://\(origin.host ?? "")" + (origin.port.map { ":\($0)" } ?? "")
        let key = try OpenSSL.run(["ecparam", "-name", "prime256v1", "-genkey", "-noout"])
        try key.write(to: keyFile)
        // The last 64 bytes of the public key's DER are its point.
        point = try OpenSSL.run(["ec", "-pubout", "-outform", "DER"], key).suffix(64)
    }

    deinit { try? FileManager.default.removeItem(at: keyFile) }

    func registration(for options: JSONValue) async throws -> JSONValue {
        let wanted = try PasskeyOptions(options)
        user = try #require(wanted.user).id
        let key =
            Data([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]) + point.prefix(32)
            + Data([0x22, 0x58, 0x20]) + point.suffix(32)
        // User present and verified, with the new credential; no AAGUID.
        let data = header(wanted, flags: 0x45) + Data(count: 16) + Data([0, UInt8(id.count)]) + id + key
        let attestation =
            Data([0xa3]) + text("fmt") + text("none") + text("attStmt") + Data([0xa0]) + text("authData")
            + Data([0x58, UInt8(data.count)]) + data
        return PasskeyJSON.registration(
            id: id, clientData: clientData("webauthn.create", wanted), attestation: attestation)
    }

    func assertion(for options: JSONValue) async throws -> JSONValue {
        let wanted = try PasskeyOptions(options)
        let (data, client) = (header(wanted, flags: 0x05), clientData("webauthn.get", wanted))
        let signed = data + OpenSSL().sha256(client)
        let signature = try OpenSSL.run(["dgst", "-sha256", "-sign", keyFile.path], signed)
        return PasskeyJSON.assertion(
            id: id, clientData: client, authenticatorData: data, signature: signature, userHandle: user)
    }

    private func header(_ options: PasskeyOptions, flags: UInt8) -> Data {
        counter += 1
        return OpenSSL().sha256(Data(options.domain.utf8)) + Data([flags, 0, 0, 0, counter])
    }

    private func clientData(_ type: String, _ options: PasskeyOptions) -> Data {
        let challenge = Base64URL.encode(options.challenge)
        return Data(#"{"type":"\#(type)","challenge":"\#(challenge)","origin":"\#(origin)"}"#.utf8)
    }

    /// A short text in CBOR.
    private func text(_ text: String) -> Data { Data([0x60 + UInt8(text.utf8.count)]) + Data(text.utf8) }
}
