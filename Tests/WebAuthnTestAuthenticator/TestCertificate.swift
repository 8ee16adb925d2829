package import Cryptography
import JSON

/// A certificate before its signature; each field may be invalid.
///
/// The default is an authenticator maker's certificate.
package struct TestCertificate: Sendable {
    package struct Attribute: Sendable {
        package var identifier: String
        package var tag: UInt8
        package var text: String

        package init(_ identifier: String, _ text: String, tag: UInt8 = Tag.utf8String) {
            self.identifier = identifier
            self.text = text
            self.tag = tag
        }

        package static func country(_ text: String) -> Self { .init("2.5.4.6", text, tag: Tag.printableString) }
        package static func organization(_ text: String) -> Self { .init("2.5.4.10", text) }
        package static func organizationalUnit(_ text: String) -> Self { .init("2.5.4.11", text) }
        package static func commonName(_ text: String) -> Self { .init("2.5.4.3", text) }

        fileprivate var encoded: [UInt8] {
            DERItem.set(DERItem.sequence([DERItem.object(identifier), DERItem.element(tag, Array(text.utf8))]))
        }
    }

    package enum Tag {
        package static let utf8String: UInt8 = 0x0C
        package static let printableString: UInt8 = 0x13
        package static let teletexString: UInt8 = 0x14
    }

    package struct Extension: Sendable {
        package var identifier: String
        package var isCritical: Bool
        package var value: [UInt8]

        package init(_ identifier: String, isCritical: Bool = false, value: [UInt8]) {
            self.identifier = identifier
            self.isCritical = isCritical
            self.value = value
        }

        package static func basicConstraints(isAuthority: Bool) -> Self {
            .init("2.5.29.19", isCritical: true, value: DERItem.sequence(isAuthority ? [DERItem.isTrue] : []))
        }

        /// The authenticator model of the certificate.
        package static func model(_ aaguid: [UInt8]) -> Self {
            .init("1.3.6.1.4.1.45724.1.1.4", value: DERItem.octetString(aaguid))
        }

        fileprivate var encoded: [UInt8] {
            DERItem.sequence([
                DERItem.object(identifier), isCritical ? DERItem.isTrue : [], DERItem.octetString(value),
            ])
        }
    }

    /// The encoded version: 2 for version 3; version 1 is omitted.
    package var version: [UInt8]? = [2]
    package var issuer: [Attribute]
    package var subject: [Attribute]
    package var extensions: [Extension]
    /// In the form of UTCTime.
    package var notBefore = "200101000000Z"
    package var notAfter = "491231235959Z"

    /// The certificate of a maker's own authority.
    package static func root(_ name: String) -> TestCertificate {
        let attributes: [Attribute] = [.organization("Maker"), .commonName(name)]
        return TestCertificate(
            issuer: attributes, subject: attributes, extensions: [.basicConstraints(isAuthority: true)])
    }

    /// The certificate for packed statements.
    package static func authenticator(model: [UInt8], issuedBy issuer: TestCertificate) -> TestCertificate {
        TestCertificate(
            issuer: issuer.subject,
            subject: [
                .country("SE"), .organization("Maker"), .organizationalUnit("Authenticator Attestation"),
                .commonName("Model 1"),
            ],
            extensions: [.basicConstraints(isAuthority: false), .model(model)])
    }

    /// The certificate in DER, for a P-256 or RSA key, signed with a P-256 key.
    package func der(for key: PublicKey, signedWith signer: PrivateKey) throws -> [UInt8] {
        let algorithm = DERItem.sequence([DERItem.object("1.2.840.10045.4.3.2")])
        let validity = DERItem.sequence([notBefore, notAfter].map { DERItem.element(0x17, Array($0.utf8)) })
        let body = DERItem.sequence([
            version.map { DERItem.element(0xA0, DERItem.integer($0)) } ?? [],
            DERItem.integer([1]), algorithm, Self.name(issuer), validity, Self.name(subject), Self.keyInfo(key),
            extensions.isEmpty ? [] : DERItem.element(0xA3, DERItem.sequence(extensions.map(\.encoded))),
        ])
        let signature = DERItem.signature(raw: try signer.sign(body, algorithm: .ES256))
        return DERItem.sequence([body, algorithm, DERItem.bitString(signature)])
    }

    private static func name(_ attributes: [Attribute]) -> [UInt8] {
        DERItem.sequence(attributes.map(\.encoded))
    }

    private static func keyInfo(_ key: PublicKey) -> [UInt8] {
        let jwk = key.jwk(id: "", algorithm: .ES256)
        func bytes(_ name: String) -> [UInt8] { jwk[name]?.string.flatMap { Base64URL.decode($0) } ?? [] }
        if jwk["kty"] == "RSA" {
            let numbers = DERItem.sequence([DERItem.integer(bytes("n")), DERItem.integer(bytes("e"))])
            return DERItem.sequence([
                DERItem.sequence([DERItem.object("1.2.840.113549.1.1.1"), DERItem.null]), DERItem.bitString(numbers),
            ])
        }
        return DERItem.sequence([
            DERItem.sequence([DERItem.object("1.2.840.10045.2.1"), DERItem.object("1.2.840.10045.3.1.7")]),
            DERItem.bitString([4] + bytes("x") + bytes("y")),
        ])
    }
}
