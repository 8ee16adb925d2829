import Cryptography
import JSON

/// The requirements for the certificate of a packed statement (WebAuthn §8.2.1).
enum AttestationCertificateRules {
    /// `id-fido-gen-ce-aaguid`.
    private static let modelExtension: StaticString = "1.3.6.1.4.1.45724.1.1.4"
    /// Tag and length of the octet string within the extension's own.
    private static let modelHeader: [UInt8] = [0x04, 0x10]

    static func check(_ certificate: Certificate, model: [UInt8]) throws(WebAuthnError) {
        guard certificate.isVersion3 else { throw .attestationCertificateVersion }
        guard hasProperSubject(certificate.subject) else { throw .attestationCertificateSubject }
        guard certificate.isAuthority == false else { throw .attestationCertificateAuthority }
        try checkModel(certificate.extensions(modelExtension), model)
    }

    /// Country, organization and common name are the maker's choice; one unit has a fixed text.
    private static func hasProperSubject(_ subject: [Certificate.Attribute]) -> Bool {
        func text(_ kind: Certificate.Attribute.Kind) -> String? {
            let found = subject.filter { $0.kind == kind }
            return found.count == 1 ? found.first?.text : nil
        }
        guard let country = text(.country), let organization = text(.organization),
            let unit = text(.organizationalUnit), let commonName = text(.commonName)
        else { return false }
        return isCountry(country) && !organization.isEmpty && !commonName.isEmpty
            && unit.hasSameBytes(as: "Authenticator Attestation")
    }

    /// Two letters, an ISO 3166 country.
    private static func isCountry(_ text: String) -> Bool {
        text.utf8.count == 2 && text.utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }

    private static func checkModel(_ extensions: [Certificate.Extension], _ model: [UInt8]) throws(WebAuthnError) {
        guard let first = extensions.first else { return }
        guard extensions.count == 1, !first.isCritical, first.value == modelHeader + model else {
            throw .attestationCertificateModel
        }
    }
}
