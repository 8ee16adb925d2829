import Cryptography
import JSON
import Testing
import WebAuthnTestAuthenticator

@testable import WebAuthn

@Suite("Makers' certificates")
struct AttestationTests {
    private static let model = Array<UInt8>(1...16)
    private static let rootKey = Result { try PrivateKey.generateP256() }
    private static let makerKey = Result { try PrivateKey.generateP256() }
    private static let root = TestCertificate.root("Root")

    private static func rootDER() throws -> [UInt8] {
        try root.der(for: rootKey.get().publicKey, signedWith: rootKey.get())
    }

    private func maker(_ change: (inout TestCertificate) -> Void = { _ in }) throws -> [UInt8] {
        var certificate = TestCertificate.authenticator(model: Self.model, issuedBy: Self.root)
        change(&certificate)
        return try certificate.der(for: Self.makerKey.get().publicKey, signedWith: Self.rootKey.get())
    }

    private func register(
        _ certificates: [[UInt8]], algorithm: Int = -7, roots: [[UInt8]]? = nil, requiresKnownRoot: Bool = false
    ) throws -> RegisteredCredential {
        let anchors = try (roots ?? [Self.rootDER()]).map { try Certificate(der: $0) }
        let key = try Self.makerKey.get()
        let response = try Fixture.authenticator().register(challenge: Fixture.challengeBytes) {
            $0.attestation = .packedCertified(key: key, certificates: certificates, algorithm: algorithm)
        }
        return try Fixture.register(
            response,
            relyingParty: Fixture.relyingParty(
                attestation: .direct(roots: anchors, requiresKnownRoot: requiresKnownRoot)))
    }

    @Test("a certificate of a known root makes the authenticator known")
    func known() throws {
        let credential = try register([maker()], requiresKnownRoot: true)
        #expect(credential.attestationTrust == .certified(rootKnown: true))
        #expect(credential.attestationFormat == "packed")
        let withRoot = try register([maker(), Self.rootDER()], requiresKnownRoot: true)
        #expect(withRoot.attestationTrust == .certified(rootKnown: true))
    }

    @Test("a certificate may be its own anchor")
    func ownAnchor() throws {
        let maker = try maker()
        #expect(try register([maker], roots: [maker]).attestationTrust == .certified(rootKnown: true))
    }

    @Test("a chain may contain an intermediate authority")
    func intermediate() throws {
        let key = try PrivateKey.generateP256()
        var authority = TestCertificate.root("Between")
        authority.issuer = Self.root.subject
        let between = try authority.der(for: key.publicKey, signedWith: Self.rootKey.get())
        let leaf = try TestCertificate.authenticator(model: Self.model, issuedBy: authority)
            .der(for: Self.makerKey.get().publicKey, signedWith: key)
        #expect(try register([leaf, between]).attestationTrust == .certified(rootKnown: true))
        #expect(try register([leaf]).attestationTrust == .certified(rootKnown: false))
        // A certificate without the authority flag: its signatures reach no root.
        authority.extensions = [.basicConstraints(isAuthority: false)]
        let impostor = try authority.der(for: key.publicKey, signedWith: Self.rootKey.get())
        #expect(try register([leaf, impostor]).attestationTrust == .certified(rootKnown: false))
    }

    @Test("a certificate of an unknown root counts as unknown, or is refused if a known one is required")
    func unknown() throws {
        let stranger = try PrivateKey.generateP256()
        let namesake = try Self.root.der(for: stranger.publicKey, signedWith: stranger)
        for roots in [[], [namesake]] {
            #expect(try register([maker()], roots: roots).attestationTrust == .certified(rootKnown: false))
        }
        #expect(throws: WebAuthnError.attestationUntrusted) {
            try register([maker()], roots: [namesake], requiresKnownRoot: true)
        }
    }

    @Test(
        "a certificate outside its validity reaches no root",
        arguments: [("200101000000Z", "210101000000Z"), ("400101000000Z", "491231235959Z")])
    func outOfTime(notBefore: String, notAfter: String) throws {
        let certificate = try maker {
            $0.notBefore = notBefore
            $0.notAfter = notAfter
        }
        #expect(try register([certificate]).attestationTrust == .certified(rootKnown: false))
    }

    @Test("without a request a certificate is checked, and its root is unknown")
    func unasked() throws {
        let (key, certificate) = (try Self.makerKey.get(), try maker())
        let response = try Fixture.authenticator().register(challenge: Fixture.challengeBytes) {
            $0.attestation = .packedCertified(key: key, certificates: [certificate], algorithm: -7)
        }
        #expect(try Fixture.register(response).attestationTrust == .certified(rootKnown: false))
        let forged = try Fixture.authenticator().register(challenge: Fixture.challengeBytes) {
            $0.attestation = .packedCertified(key: try Fixture.key.get(), certificates: [certificate], algorithm: -7)
        }
        #expect(throws: WebAuthnError.attestationSignatureInvalid) { try Fixture.register(forged) }
    }

    @Test("a maker's key may be an RSA key")
    func rsa() throws {
        let key = try PrivateKey.generateRSA(bits: 2048)
        let certificate = try TestCertificate.authenticator(model: Self.model, issuedBy: Self.root)
            .der(for: key.publicKey, signedWith: Self.rootKey.get())
        func register(algorithm: Int) throws -> RegisteredCredential {
            let response = try Fixture.authenticator().register(challenge: Fixture.challengeBytes) {
                $0.attestation = .packedCertified(key: key, certificates: [certificate], algorithm: algorithm)
            }
            return try Fixture.register(response)
        }
        #expect(try register(algorithm: -257).attestationTrust == .certified(rootKnown: false))
        #expect(throws: WebAuthnError.attestationSignatureInvalid) { try register(algorithm: -7) }
    }

    @Test("the model's extension may be absent")
    func withoutModel() throws {
        let certificate = try maker { $0.extensions = [.basicConstraints(isAuthority: false)] }
        #expect(try register([certificate]).attestationTrust == .certified(rootKnown: true))
    }

    static let attributes: [Refusal<[TestCertificate.Attribute]>] = [
        .init("no subject", .attestationCertificateSubject) { $0 = [] },
        .init("no country", .attestationCertificateSubject) { $0.remove(at: 0) },
        .init("no organization", .attestationCertificateSubject) { $0.remove(at: 1) },
        .init("no unit", .attestationCertificateSubject) { $0.remove(at: 2) },
        .init("no common name", .attestationCertificateSubject) { $0.remove(at: 3) },
        .init("a country of three letters", .attestationCertificateSubject) { $0[0].text = "SWE" },
        .init("a country in small letters", .attestationCertificateSubject) { $0[0].text = "se" },
        .init("another unit", .attestationCertificateSubject) { $0[2].text = "Authenticator attestation" },
        .init("a unit with more behind it", .attestationCertificateSubject) { $0[2].text += " " },
        .init("two units", .attestationCertificateSubject) { $0.append(.organizationalUnit("Other")) },
        .init("an empty organization", .attestationCertificateSubject) { $0[1].text = "" },
        .init("an empty common name", .attestationCertificateSubject) { $0[3].text = "" },
        .init("a text of another kind", .attestationCertificateSubject) {
            $0[3].tag = TestCertificate.Tag.teletexString
        },
    ]

    static let certificates: [Refusal<TestCertificate>] = [
        .init("version 1", .attestationCertificateVersion) {
            $0.version = nil
            $0.extensions = []
        },
        .init("version 2", .attestationCertificateVersion) {
            $0.version = [1]
            $0.extensions = []
        },
        .init("version 4", .attestationCertificateVersion) { $0.version = [3] },
        .init("the highest version of 64 bits", .attestationCertificateVersion) {
            $0.version = [0x7F] + [UInt8](repeating: 0xFF, count: 7)
        },
        .init("a version beyond 64 bits", .attestationCertificateVersion) {
            $0.version = [UInt8](repeating: 0xFF, count: 9)
        },
        .init("no basic constraints", .attestationCertificateAuthority) { $0.extensions.remove(at: 0) },
        .init("an authority", .attestationCertificateAuthority) {
            $0.extensions[0] = .basicConstraints(isAuthority: true)
        },
        .init("basic constraints twice", .attestationCertificateAuthority) { $0.extensions.append($0.extensions[0]) },
        .init("basic constraints that cannot be read", .attestationCertificateAuthority) {
            $0.extensions[0].value = [0x30, 5]
        },
        .init("another extension that cannot be read", .attestationCertificateAuthority) {
            $0.extensions.append(.init("2.5.29.15", isCritical: true, value: [0x30, 5]))
        },
        .init("a model twice", .attestationCertificateModel) { $0.extensions.append($0.extensions[1]) },
        .init("another model", .attestationCertificateModel) {
            $0.extensions[1] = .model([UInt8](repeating: 9, count: 16))
        },
        .init("a model without its own octet string", .attestationCertificateModel) {
            $0.extensions[1].value = Array(1...16)
        },
        .init("a model with a byte too many", .attestationCertificateModel) {
            $0.extensions[1] = .model(Array(1...17))
        },
        .init("a model with a byte behind it", .attestationCertificateModel) { $0.extensions[1].value.append(0) },
        .init("a critical model", .attestationCertificateModel) { $0.extensions[1].isCritical = true },
    ]

    @Test("a subject must follow the standard", arguments: attributes)
    func subject(refusal: Refusal<[TestCertificate.Attribute]>) throws {
        var attributes = TestCertificate.authenticator(model: Self.model, issuedBy: Self.root).subject
        try refusal.change(&attributes)
        #expect(throws: refusal.reason) { try register([maker { $0.subject = attributes }]) }
    }

    @Test("version and extensions must follow the standard", arguments: certificates)
    func certificate(refusal: Refusal<TestCertificate>) throws {
        var certificate = TestCertificate.authenticator(model: Self.model, issuedBy: Self.root)
        try refusal.change(&certificate)
        #expect(throws: refusal.reason) { try register([maker { $0 = certificate }]) }
    }

    @Test("the list of certificates is read strictly")
    func list() throws {
        let maker = try maker()
        let lists: [([[UInt8]], WebAuthnError)] = [
            ([], .attestationStatementMalformed),
            ([[UInt8]](repeating: maker, count: 9), .attestationStatementMalformed),
            ([[]], .attestationCertificateMalformed), ([[0x30]], .attestationCertificateMalformed),
            ([maker + [0]], .attestationCertificateMalformed), ([maker.dropLast()], .attestationCertificateMalformed),
            ([maker, [1]], .attestationCertificateMalformed),
        ]
        for (list, reason) in lists {
            #expect(throws: reason) { try register(list) }
        }
    }

    @Test(
        "the algorithm must fit the maker's key",
        arguments: [
            (-257, .attestationSignatureInvalid), (-8, .attestationAlgorithmMismatch),
            (-65535, .attestationAlgorithmMismatch), (0, .attestationAlgorithmMismatch),
        ] as [(Int, WebAuthnError)])
    func algorithm(number: Int, reason: WebAuthnError) throws {
        #expect(throws: reason) { try register([maker()], algorithm: number) }
    }

    @Test("a truncated certificate is refused, and one with a changed bit leads to no root")
    func alteredCertificate() throws {
        let maker = try maker()
        for length in maker.indices {
            #expect(throws: WebAuthnError.self, "\(length)") { try register([Array(maker[..<length])]) }
        }
        for index in maker.indices {
            let trust = try? register([maker.flipping(8 * index + index % 8)]).attestationTrust
            #expect(trust != .certified(rootKnown: true), "byte \(index)")
        }
    }
}
