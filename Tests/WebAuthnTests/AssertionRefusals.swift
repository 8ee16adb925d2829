import Cryptography
import JSON
import WebAuthn
import WebAuthnTestAuthenticator

/// The refusals of authentication only.
enum AssertionRefusals {
    typealias Flag = AuthenticatorDataDraft.Flag

    static let drafts: [Refusal<AssertionDraft>] = [
        .init("a registration's client data", .clientDataTypeInvalid) { $0.clientData["type"] = "webauthn.create" },
        .init("another user handle", .userHandleMismatch) { $0.userHandle = [1, 2, 3, 5] },
        .init("an empty user handle", .userHandleMismatch) { $0.userHandle = [] },
        .init("a user handle that is a number", .responseMalformed) {
            $0.changeResponse = { $0.change("userHandle", in: "response", to: 1) }
        },
        .init("no authenticator data", .responseMalformed) {
            $0.changeResponse = { $0.change("authenticatorData", in: "response", to: nil) }
        },
        .init("empty authenticator data", .authenticatorDataMalformed) { $0.changeAuthenticatorData = { $0 = [] } },
        .init("no signature", .responseMalformed) {
            $0.changeResponse = { $0.change("signature", in: "response", to: nil) }
        },
        .init("an empty signature", .signatureInvalid) { $0.changeSignature = { $0 = [] } },
        .init("a signature of zeros", .signatureInvalid) {
            $0.changeSignature = { $0 = DERItem.sequence([DERItem.integer([0]), DERItem.integer([0])]) }
        },
        .init("a byte behind the signature", .signatureInvalid) { $0.changeSignature = { $0.append(0) } },
        .init("a signature in raw form", .signatureInvalid) {
            $0.changeSignature = { $0 = [UInt8](repeating: 1, count: 64) }
        },
        .init("a needless zero before a number of the signature", .signatureInvalid) {
            $0.changeSignature = { signature in
                let length = Int(signature[3])
                let first = Array(signature[4..<4 + length])
                signature = DERItem.sequence([DERItem.element(2, [0] + first), Array(signature[(4 + length)...])])
            }
        },
        .init("a length of the signature in long form", .signatureInvalid) {
            $0.changeSignature = { $0.insert(0x81, at: 1) }
        },
        .init("signed for other client data", .signatureInvalid) {
            $0.changeResponse = {
                let text = $0["response"]?["clientDataJSON"]?.string.flatMap { Base64URL.decode($0) } ?? []
                $0.change("clientDataJSON", in: "response", to: .string(Base64URL.encode(text + [0x20])))
            }
        },
        .init("not eligible for backup any more", .backupEligibilityChanged) {
            $0.authenticatorData.flags &= ~(Flag.backupEligible | Flag.backedUp)
        },
        .init("a new credential", .attestedCredentialUnexpected) {
            $0.authenticatorData.flags |= Flag.attestedCredential
            $0.authenticatorData.attestedCredential = .init(
                aaguid: [UInt8](repeating: 0, count: 16), id: [1],
                key: COSEKeyItem.entries(try Fixture.key.get().publicKey))
        },
    ]
}
