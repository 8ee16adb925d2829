import Cryptography
import JSON
import WebAuthn
import WebAuthnTestAuthenticator

/// The refusals of registration and authentication.
enum CommonRefusals {
    static let clientData: [Refusal<JSONObject>] = [
        .init("no type", .clientDataMalformed) { $0["type"] = nil },
        .init("a type that is no text", .clientDataMalformed) { $0["type"] = 1 },
        .init("another type", .clientDataTypeInvalid) { $0["type"] = "payment.get" },
        .init("a type in capitals", .clientDataTypeInvalid) { $0["type"] = "WEBAUTHN.GET" },
        .init("no challenge", .clientDataMalformed) { $0["challenge"] = nil },
        .init("an empty challenge", .challengeMismatch) { $0["challenge"] = "" },
        .init("another challenge", .challengeMismatch) {
            $0["challenge"] = .string(Base64URL.encode(SHA256.hash("x")))
        },
        .init("a challenge with its last byte cut off", .challengeMismatch) {
            $0["challenge"] = .string(Base64URL.encode(Array(Fixture.challengeBytes.dropLast())))
        },
        .init("a padded challenge", .challengeMismatch) {
            $0["challenge"] = .string(Base64URL.encode(Fixture.challengeBytes) + "=")
        },
        .init("no origin", .clientDataMalformed) { $0["origin"] = nil },
        .init("another origin", .originMismatch) { $0["origin"] = "https://evil.example" },
        .init("another scheme", .originMismatch) { $0["origin"] = "http://login.example.com" },
        .init("a port", .originMismatch) { $0["origin"] = "https://login.example.com:8443" },
        .init("a slash behind the origin", .originMismatch) { $0["origin"] = "https://login.example.com/" },
        .init("an origin in capitals", .originMismatch) { $0["origin"] = "https://LOGIN.example.com" },
        .init("the relying party's own domain, which is not listed", .originMismatch) {
            $0["origin"] = "https://example.com"
        },
        .init("an origin that begins like ours", .originMismatch) { $0["origin"] = "https://login.example.com.evil" },
        .init("in a frame of another origin", .crossOriginRefused) { $0["crossOrigin"] = true },
        .init("a frame that is told as a text", .clientDataMalformed) { $0["crossOrigin"] = "false" },
        .init("a frame that is told as null", .clientDataMalformed) { $0["crossOrigin"] = .null },
        .init("a top origin", .crossOriginRefused) { $0["topOrigin"] = .string(Fixture.origin) },
        .init("a top origin that is no text", .clientDataMalformed) { $0["topOrigin"] = [] },
        .init("a bound token", .tokenBindingUnsupported) { $0["tokenBinding"] = ["status": "present", "id": "AA"] },
        .init("an unknown token binding", .tokenBindingUnsupported) { $0["tokenBinding"] = ["status": "maybe"] },
        .init("more than 8 KiB", .clientDataMalformed) {
            $0["other"] = .string(String(repeating: "x", count: 8 * 1024))
        },
        .init("a token binding without status", .clientDataMalformed) { $0["tokenBinding"] = [:] },
        .init("a token binding that is a text", .clientDataMalformed) { $0["tokenBinding"] = "supported" },
    ]

    /// Client data that is not a JSON object.
    static let clientDataBytes: [[UInt8]] = [
        [], Array("{".utf8), Array("null".utf8), Array("[]".utf8), Array("{}".utf8), [0xEF, 0xBB, 0xBF],
        Array(#"{"type":"webauthn.get","type":"webauthn.get"}"#.utf8), [0xFF, 0xFE],
        [UInt8](repeating: UInt8(ascii: "["), count: 5000), [UInt8](repeating: UInt8(ascii: " "), count: 9000),
    ]

    /// Changes to the outer JSON.
    static let envelope: [Refusal<JSONObject>] = [
        .init("no id", .responseMalformed) { $0["id"] = nil },
        .init("an id that is no text", .responseMalformed) { $0["id"] = 1 },
        .init("an id that is no base64url", .credentialIDMismatch) { $0["id"] = "+/+/" },
        .init("a padded id", .credentialIDMismatch) { $0["id"] = .string(($0["id"]?.string ?? "") + "=") },
        .init("another id", .credentialIDMismatch) { $0["id"] = "AAAA" },
        .init("no raw id", .responseMalformed) { $0["rawId"] = nil },
        .init("another raw id", .credentialIDMismatch) { $0["rawId"] = "AAAA" },
        .init("an id that is not the signed or the stored one", .credentialIDMismatch) {
            $0["id"] = "AAAA"
            $0["rawId"] = "AAAA"
        },
        .init("an empty id", .responseMalformed) {
            $0["id"] = ""
            $0["rawId"] = ""
        },
        .init("an id of 1024 bytes", .credentialIDTooLong) {
            let id = JSON.string(Base64URL.encode([UInt8](repeating: 1, count: 1024)))
            $0["id"] = id
            $0["rawId"] = id
        },
        .init("no type", .responseMalformed) { $0["type"] = nil },
        .init("another type", .credentialTypeInvalid) { $0["type"] = "password" },
        .init("no response", .responseMalformed) { $0["response"] = nil },
        .init("a response that is a text", .responseMalformed) { $0["response"] = "x" },
        .init("no client data", .responseMalformed) { $0.change("clientDataJSON", in: "response", to: nil) },
        .init("client data that is no base64url", .responseMalformed) {
            $0.change("clientDataJSON", in: "response", to: "e30=")
        },
        .init("client data as an object", .responseMalformed) { $0.change("clientDataJSON", in: "response", to: [:]) },
    ]

    typealias Flag = AuthenticatorDataDraft.Flag

    static let authenticatorData: [Refusal<AuthenticatorDataDraft>] = [
        .init("for another relying party", .relyingPartyMismatch) { $0.relyingPartyHash = SHA256.hash("evil.example") },
        .init("for the origin's domain", .relyingPartyMismatch) {
            $0.relyingPartyHash = SHA256.hash("login.example.com")
        },
        .init("nobody present", .userNotPresent) { $0.flags &= ~Flag.userPresent },
        .init("nobody verified", .userNotVerified) { $0.flags &= ~Flag.userVerified },
        .init("backed up without being eligible", .backupStateInvalid) { $0.flags &= ~Flag.backupEligible },
        .init("a byte too many", .authenticatorDataMalformed) { $0.trailing = [0] },
        .init("extensions without their flag", .authenticatorDataMalformed) { $0.extensions = .map([]) },
        .init("the flag of extensions without them", .authenticatorDataMalformed) { $0.flags |= Flag.extensions },
        .init("extensions that are no map", .authenticatorDataMalformed) {
            $0.flags |= Flag.extensions
            $0.extensions = .array([])
        },
        .init("extensions by numbers", .authenticatorDataMalformed) {
            $0.flags |= Flag.extensions
            $0.extensions = .map([(.integer(1), .bool(true))])
        },
        .init("a byte behind the extensions", .authenticatorDataMalformed) {
            $0.flags |= Flag.extensions
            $0.extensions = .map([(.text("credProtect"), .integer(2))])
            $0.trailing = [0]
        },
        .init("a hash that is cut short", .authenticatorDataMalformed) {
            $0.relyingPartyHash = []
            $0.attestedCredential = nil
        },
        .init("more than 16 KiB", .authenticatorDataMalformed) {
            $0.flags |= Flag.extensions
            $0.extensions = .map([(.text("x"), .bytes([UInt8](repeating: 0, count: 16 * 1024)))])
        },
    ]
}
