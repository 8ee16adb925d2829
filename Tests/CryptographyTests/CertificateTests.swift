import FoundationEssentials
import JSON
import Testing

@testable import Cryptography

@Suite("Certificates")
struct CertificateTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)
    private static let modelExtension: StaticString = "1.3.6.1.4.1.45724.1.1.4"

    private func read(_ pem: String) throws -> Certificate { try Certificate(der: der(pem)) }

    /// The DER of the certificate in a PEM text.
    private func der(_ pem: String) throws -> [UInt8] {
        let lines = pem.split(separator: "\n").filter { !$0.hasPrefix("-----") }
        return Array(try #require(Data(base64Encoded: lines.joined())))
    }

    @Test("N4: a certificate with a factorable key gives no key, and is trusted by no anchor, not even by itself")
    func factorable() throws {
        let certificate = try read(CertificateFixtures.factorable)
        let error = try #require(throws: OpenSSLError.self) { try certificate.publicKey() }
        #expect(error.operation == .unsuitableKey)
        #expect(!certificate.isTrusted(by: [certificate], over: [], at: Self.now))
        let root = try read(CertificateFixtures.root)
        #expect(root.isTrusted(by: [root], over: [], at: Self.now))
        #expect(!root.isTrusted(by: [root], over: [certificate], at: Self.now))
    }

    @Test("the certificate of the WebAuthn example has the documented values")
    func example() throws {
        let certificate = try read(CertificateFixtures.example)
        #expect(certificate.isVersion3)
        #expect(
            certificate.subject == [
                .init(kind: .country, text: "US"), .init(kind: .organization, text: "WebAuthn WG"),
                .init(kind: .commonName, text: "Example Attestation"),
            ])
        #expect(certificate.isAuthority == false)
        let model = try #require(Hex.decode("0410cd8c395c26edeede653b00797d03ca3c"))
        #expect(certificate.extensions(Self.modelExtension) == [.init(isCritical: false, value: model)])
        #expect(certificate.extensions("1.3.6.1.4.1.45724.1.1.5") == [.init(isCritical: false, value: [2, 1, 42])])
        #expect(certificate.extensions("2.5.29.19") == [.init(isCritical: true, value: [0x30, 0])])
        #expect(certificate.extensions("2.5.29.15") == [])
        let x = "w0DfbmhRR-ASgY7YR0zNXa6W-4CLj6Heu6shelHS-Kk"
        #expect(try certificate.publicKey().jwk(id: "", algorithm: .ES256)["x"] == .string(x))
    }

    @Test("authorities are distinguished from leaf certificates")
    func authorities() throws {
        for (pem, isAuthority) in [
            (CertificateFixtures.root, true), (CertificateFixtures.between, true), (CertificateFixtures.leaf, false),
        ] {
            #expect(try read(pem).isAuthority == isAuthority)
        }
        let organization = try read(CertificateFixtures.leaf).subject.first { $0.kind == .organization }
        #expect(organization?.text == "M\u{E4}ker")
    }

    @Test("a chain reaches an anchor only with every link, within every validity")
    func chains() throws {
        let root = try read(CertificateFixtures.root)
        let between = try read(CertificateFixtures.between)
        let leaf = try read(CertificateFixtures.leaf)
        #expect(leaf.isTrusted(by: [root], over: [between], at: Self.now))
        #expect(leaf.isTrusted(by: [between], over: [], at: Self.now))
        #expect(leaf.isTrusted(by: [leaf], over: [], at: Self.now))
        #expect(leaf.isTrusted(by: [between, root], over: [root, between], at: Self.now))
        #expect(!leaf.isTrusted(by: [root], over: [], at: Self.now))
        #expect(!leaf.isTrusted(by: [], over: [between, root], at: Self.now))
        #expect(!between.isTrusted(by: [leaf], over: [root], at: Self.now))
        #expect(!leaf.isTrusted(by: [try read(CertificateFixtures.example)], over: [between], at: Self.now))
        for moment in [Date(timeIntervalSince1970: 1_577_836_799), Date(timeIntervalSince1970: 2_524_521_600)] {
            #expect(!leaf.isTrusted(by: [root], over: [between], at: moment), "\(moment)")
        }
        #expect(leaf.isTrusted(by: [root], over: [between], at: Date(timeIntervalSince1970: 1_577_836_800)))
    }

    @Test("keys below 112 bits of strength are neither trusted nor read")
    func shortKey() throws {
        let root = try read(CertificateFixtures.root)
        let between = try read(CertificateFixtures.between)
        let rsa = try read(CertificateFixtures.rsaLeaf)
        #expect(rsa.isTrusted(by: [root], over: [between], at: Self.now))
        #expect(try rsa.publicKey().jwk(id: "", algorithm: .RS256)["kty"] == "RSA")
        let short = try read(CertificateFixtures.shortLeaf)
        #expect(!short.isTrusted(by: [root], over: [between], at: Self.now))
        let error = try #require(throws: OpenSSLError.self) { try short.publicKey() }
        #expect(error.operation == .unsuitableKey)
    }

    @Test("DER holds exactly one certificate")
    func der() throws {
        let bytes = try der(CertificateFixtures.leaf)
        #expect(try Certificate(der: bytes).isVersion3)
        for wrong in [[], [0x30], Array(bytes.dropLast()), bytes + [0], bytes + bytes, Array(bytes.dropFirst())] {
            let error = try #require(throws: OpenSSLError.self) { try Certificate(der: wrong) }
            #expect(error.operation == .readCertificate)
        }
    }
}
