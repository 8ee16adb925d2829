import Cryptography

@testable import WebAuthn

/// A certificate is read alike twice, to its last byte, and leads to no root that did not sign it.
enum CertificateTarget {
    static func read(_ input: [UInt8]) {
        guard let certificate = try? Certificate(der: input) else { return }
        use(certificate)
        let again = try? Certificate(der: input)
        hold(again?.subject == certificate.subject && again?.isAuthority == certificate.isAuthority, "it is read alike")
        hold((try? Certificate(der: input + [0])) == nil, "nothing may follow a certificate")
    }

    private static func use(_ certificate: Certificate) {
        hold(!certificate.isTrusted(by: [], over: [certificate], at: Fixture.now), "no root is known")
        _ = try? AttestationCertificateRules.check(certificate, model: [UInt8](repeating: 0, count: 16))
        guard let key = try? certificate.publicKey() else { return }
        let again = try? PublicKey(jwk: key.jwk(id: "k", algorithm: .ES256))
        hold(again == nil || again?.thumbprint == key.thumbprint, "a published key is the same key")
    }
}
