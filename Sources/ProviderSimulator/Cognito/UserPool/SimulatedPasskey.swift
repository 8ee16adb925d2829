import Cryptography
import JSON

/// A passkey with its device: it signs like an authenticator, and checks like Cognito (WebAuthn §7.2).
struct SimulatedPasskey: Sendable {
    static let relyingParty = "auth.example.com"
    private static var origin: String { "https://\(relyingParty)" }

    let id: String
    let userHandle: String
    private let key: PrivateKey

    init(userID: String) throws {
        id = RandomText.base64URL(16)
        userHandle = Base64URL.encode(Array(userID.utf8))
        key = try PrivateKey.generateP256()
    }

    func options(challenge: String) -> JSON {
        [
            "challenge": .string(challenge), "timeout": 180_000, "rpId": .string(Self.relyingParty),
            "allowCredentials": [["id": .string(id), "type": "public-key"]], "userVerification": "required",
        ]
    }

    /// The result of `navigator.credentials.get` for the options, in its JSON form.
    func assertion(for options: JSON) throws -> JSON {
        let client: JSON = [
            "type": "webauthn.get", "challenge": options["challenge"] ?? "", "origin": .string(Self.origin),
            "crossOrigin": false,
        ]
        let data = Self.authenticatorData
        let signature = try key.sign(data + SHA256.hash(client.bytes()), algorithm: .ES256)
        let der = DER.sequence(Self.integer(signature.prefix(32)), Self.integer(signature.suffix(32)))
        return [
            "id": .string(id), "rawId": .string(id), "type": "public-key", "authenticatorAttachment": "platform",
            "clientExtensionResults": [:],
            "response": [
                "clientDataJSON": .string(Base64URL.encode(client.bytes())),
                "authenticatorData": .string(Base64URL.encode(data)), "signature": .string(Base64URL.encode(der)),
                "userHandle": .string(userHandle),
            ],
        ]
    }

    /// Whether this passkey made the answer to the challenge.
    func accepts(_ text: String, challenge: String) -> Bool {
        guard let credential = try? JSON(parsing: text), credential["id"]?.string == id,
            let response = credential["response"], let client = bytes(response, "clientDataJSON"),
            let data = bytes(response, "authenticatorData"), let der = bytes(response, "signature"),
            let signature = Self.raw(der), let said = try? JSON(parsing: client)
        else { return false }
        return said["type"]?.string == "webauthn.get" && said["challenge"]?.string == challenge
            && said["origin"]?.string == Self.origin && data == Self.authenticatorData
            && response["userHandle"]?.string ?? userHandle == userHandle
            && key.publicKey.verify(signature, of: data + SHA256.hash(client), algorithm: .ES256)
    }

    /// Relying party, user present and verified, a counter that stays at zero.
    private static var authenticatorData: [UInt8] {
        SHA256.hash(relyingParty) + [0x05, 0, 0, 0, 0]
    }

    private static func integer(_ half: ArraySlice<UInt8>) -> [UInt8] {
        DER.integer(Array(half.drop { $0 == 0 }))
    }

    /// `r‖s` of a DER sequence of two integers; nil for anything else.
    private static func raw(_ der: [UInt8]) -> [UInt8]? {
        guard der.count > 6, der[0] == 0x30, Int(der[1]) == der.count - 2 else { return nil }
        var rest = der.dropFirst(2)
        var raw: [UInt8] = []
        while let tag = rest.popFirst(), let length = rest.popFirst() {
            let digits = rest.prefix(Int(length)).drop { $0 == 0 }
            guard tag == 0x02, rest.count >= Int(length), digits.count <= 32 else { return nil }
            raw += [UInt8](repeating: 0, count: 32 - digits.count) + digits
            rest = rest.dropFirst(Int(length))
        }
        return raw.count == 64 ? raw : nil
    }

    private func bytes(_ response: JSON, _ name: String) -> [UInt8]? {
        response[name]?.string.flatMap { Base64URL.decode($0) }
    }
}
