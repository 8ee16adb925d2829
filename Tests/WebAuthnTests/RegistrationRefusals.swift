import Cryptography
import JSON
import WebAuthn
import WebAuthnTestAuthenticator

/// The refusals of registration only, without certificates.
enum RegistrationRefusals {
    typealias Flag = AuthenticatorDataDraft.Flag

    static let drafts: [Refusal<RegistrationDraft>] = [
        .init("an assertion's client data", .clientDataTypeInvalid) { $0.clientData["type"] = "webauthn.get" },
        .init("no credential", .attestedCredentialMissing) {
            $0.authenticatorData.flags &= ~Flag.attestedCredential
            $0.authenticatorData.attestedCredential = nil
        },
        .init("a credential without its flag", .authenticatorDataMalformed) {
            $0.authenticatorData.flags &= ~Flag.attestedCredential
        },
        .init("the flag of a credential without it", .authenticatorDataMalformed) {
            $0.authenticatorData.attestedCredential = nil
        },
        .init("another credential than the response names", .credentialIDMismatch) {
            $0.authenticatorData.attestedCredential?.id = [1, 2, 3]
        },
        .init("a credential without id", .authenticatorDataMalformed) {
            $0.authenticatorData.attestedCredential?.id = []
        },
        .init("a credential id of 1024 bytes", .credentialIDTooLong) {
            $0.authenticatorData.attestedCredential?.id = [UInt8](repeating: 1, count: 1024)
        },
        .init("a length beyond the end", .authenticatorDataMalformed) {
            $0.authenticatorData.attestedCredential?.idLength = 1000
        },
        .init("a key that is an array", .publicKeyMalformed) {
            $0.authenticatorData.attestedCredential?.id = SHA256.hash("credential") + CBORItem.array([]).encoded
            $0.authenticatorData.attestedCredential?.idLength = 32
        },
        .init("transports that are a text", .responseMalformed) { $0.transports = "usb" },
        .init("no attestation object", .responseMalformed) {
            $0.changeResponse = { $0.change("attestationObject", in: "response", to: nil) }
        },
        .init("an empty attestation object", .attestationObjectMalformed) {
            $0.changeResponse = { $0.change("attestationObject", in: "response", to: "") }
        },
        .init("a byte behind the attestation object", .attestationObjectMalformed) { $0.trailing = [0] },
        .init("no format", .attestationObjectMalformed) { $0.changeEntries = { $0.remove(at: 0) } },
        .init("a format that is no text", .attestationObjectMalformed) {
            $0.changeEntries = { $0[0].1 = .bytes(Array("none".utf8)) }
        },
        .init("no statement", .attestationObjectMalformed) { $0.changeEntries = { $0.remove(at: 1) } },
        .init("a statement that is an array", .attestationObjectMalformed) {
            $0.changeEntries = { $0[1].1 = .array([]) }
        },
        .init("no authenticator data", .attestationObjectMalformed) { $0.changeEntries = { $0.remove(at: 2) } },
        .init("authenticator data that is a text", .attestationObjectMalformed) {
            $0.changeEntries = { $0[2].1 = .text("x") }
        },
        .init("a fourth member", .attestationObjectMalformed) {
            $0.changeEntries = { $0.append((.text("enterprise"), .bool(true))) }
        },
        .init("members that are not sorted", .attestationObjectMalformed) {
            $0.changeEntries = { $0.swapAt(0, 1) }
        },
        .init("a member twice", .attestationObjectMalformed) { $0.changeEntries = { $0.insert($0[0], at: 0) } },
        .init("no attestation, but a statement", .attestationStatementMalformed) {
            $0.attestation = .other(format: "none", statement: .map([(.text("sig"), .bytes([]))]))
        },
        .init("a format in capitals", .attestationFormatUnsupported) {
            $0.attestation = .other(format: "NONE", statement: .map([]))
        },
        .init("a format that is not known", .attestationFormatUnsupported) {
            $0.attestation = .other(format: "fido-u2f", statement: .map([]))
        },
        .init("packed, but empty", .attestationStatementMalformed) {
            $0.attestation = .other(format: "packed", statement: .map([]))
        },
        .init("packed with ECDAA", .attestationECDAAUnsupported) {
            $0.attestation = .other(
                format: "packed",
                statement: .map([
                    (.text("alg"), .integer(-7)), (.text("sig"), .bytes([])), (.text("ecdaaKeyId"), .bytes([1])),
                ]))
        },
        .init("packed with one member too many", .attestationStatementMalformed) {
            $0.attestation = .other(
                format: "packed",
                statement: .map([
                    (.text("alg"), .integer(-7)), (.text("sig"), .bytes([])), (.text("ver"), .text("2")),
                ]))
        },
        .init("packed with a signature that is a text", .attestationStatementMalformed) {
            $0.attestation = .other(
                format: "packed", statement: .map([(.text("alg"), .integer(-7)), (.text("sig"), .text(""))]))
        },
        .init("packed with a certificate that is a text", .attestationStatementMalformed) {
            $0.attestation = packed([.text("x")])
        },
        .init("packed with a text among its certificates", .attestationStatementMalformed) {
            $0.attestation = packed([.bytes([0x30, 0]), .text("x")])
        },
        .init("packed with certificates that are no list", .attestationStatementMalformed) {
            $0.attestation = .other(
                format: "packed",
                statement: .map([
                    (.text("alg"), .integer(-7)), (.text("sig"), .bytes([])), (.text("x5c"), .bytes([0x30, 0])),
                ]))
        },
        .init("packed without certificates, signed by nobody", .attestationSignatureInvalid) {
            $0.attestation = .other(
                format: "packed",
                statement: .map([(.text("alg"), .integer(-7)), (.text("sig"), .bytes([0x30, 0]))]))
        },
        .init("signed by itself with another algorithm", .attestationAlgorithmMismatch) {
            $0.attestation = .packedSelf(algorithm: -257)
        },
    ]

    private static func packed(_ certificates: [CBORItem]) -> AttestationDraft {
        .other(
            format: "packed",
            statement: .map([
                (.text("alg"), .integer(-7)), (.text("sig"), .bytes([])), (.text("x5c"), .array(certificates)),
            ]))
    }

    /// Changes to the entries of an elliptic curve key: type, algorithm, curve, x, y.
    static let ellipticCurveKeys: [Refusal<[(CBORItem, CBORItem)]>] = [
        .init("no algorithm", .publicKeyMalformed) { $0.remove(at: 1) },
        .init("an algorithm that is a text", .publicKeyMalformed) { $0[1].1 = .text("ES256") },
        .init("an algorithm that was not asked for", .algorithmNotAllowed) { $0[1].1 = .integer(-35) },
        .init("RS1", .algorithmNotAllowed) { $0[1].1 = .integer(-65535) },
        .init("an algorithm of another kind", .publicKeyMalformed) { $0[1].1 = .integer(-257) },
        .init("no type", .publicKeyMalformed) { $0.remove(at: 0) },
        .init("a type that is a text", .publicKeyMalformed) { $0[0].1 = .text("EC2") },
        .init("another type", .publicKeyUnsuitable) { $0[0].1 = .integer(1) },
        .init("no curve", .publicKeyMalformed) { $0.remove(at: 2) },
        .init("a curve that is a text", .publicKeyMalformed) { $0[2].1 = .text("P-256") },
        .init("another curve", .publicKeyUnsuitable) { $0[2].1 = .integer(2) },
        .init("secp256k1", .publicKeyUnsuitable) { $0[2].1 = .integer(8) },
        .init("no x", .publicKeyMalformed) { $0.remove(at: 3) },
        .init("no y", .publicKeyMalformed) { $0.remove(at: 4) },
        .init("a compressed point", .publicKeyMalformed) { $0[4].1 = .bool(true) },
        .init("a short x", .publicKeyUnsuitable) { $0[3].1 = .bytes([1]) },
        .init("a long y", .publicKeyUnsuitable) { $0[4].1 = .bytes([UInt8](repeating: 1, count: 33)) },
        .init("a point off the curve", .publicKeyUnsuitable) { $0[4].1 = $0[3].1 },
        .init("the point at infinity", .publicKeyUnsuitable) {
            $0[3].1 = .bytes([UInt8](repeating: 0, count: 32))
            $0[4].1 = .bytes([UInt8](repeating: 0, count: 32))
        },
        .init("an optional member", .publicKeyMalformed) { $0.insert((.integer(2), .bytes([1])), at: 1) },
        .init("a private number", .publicKeyMalformed) {
            $0.append((.integer(-4), .bytes([UInt8](repeating: 1, count: 32))))
        },
        .init("members that are not sorted", .publicKeyMalformed) { $0.swapAt(3, 4) },
    ]
}
