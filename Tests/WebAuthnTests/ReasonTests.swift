import Testing
import WebAuthn

@Suite("Reasons")
struct ReasonTests {
    /// Reasons with their own tests, because no response alone causes them.
    private static let elsewhere: Set<WebAuthnError> = [
        .topOriginMismatch, .attestationUntrusted, .attestationCertificateMalformed, .credentialNotAllowed,
        .userHandleMissing, .counterWentBack,
    ]

    @Test("the tables of refusals hold every reason")
    func completeness() {
        let tables: [[WebAuthnError]] = [
            CommonRefusals.clientData.map(\.reason), CommonRefusals.envelope.map(\.reason),
            CommonRefusals.authenticatorData.map(\.reason), RegistrationRefusals.drafts.map(\.reason),
            RegistrationRefusals.ellipticCurveKeys.map(\.reason), AssertionRefusals.drafts.map(\.reason),
            AttestationTests.attributes.map(\.reason), AttestationTests.certificates.map(\.reason),
        ]
        let tested = Set(tables.joined())
        #expect(tested.isDisjoint(with: Self.elsewhere))
        #expect(tested.union(Self.elsewhere) == Set(WebAuthnError.allCases))
    }

    @Test("reasons are unique lower-case codes", arguments: WebAuthnError.allCases)
    func codes(error: WebAuthnError) {
        let letters = Array("abcdefghijklmnopqrstuvwxyz_".utf8)
        #expect(error.rawValue.utf8.allSatisfy(letters.contains))
        #expect(WebAuthnError.allCases.filter { $0.rawValue == error.rawValue } == [error])
    }
}
