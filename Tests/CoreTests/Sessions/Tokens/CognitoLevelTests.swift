import Testing

@testable import Sessions

/// Cognito's table of levels, and its words for methods.
@Suite("The levels of Cognito's tokens")
struct CognitoLevelTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let proofs: [Proof]
        let level: Int?
        let methods: [String]
        var testDescription: String { proofs.map(\.kind.rawValue).joined(separator: " + ") }

        init(_ proofs: [Proof], _ level: Int?, _ methods: [String]) {
            (self.proofs, self.level, self.methods) = (proofs, level, methods)
        }
    }

    private static let mail = Proof(.emailCode, address: "a@example.com")
    private static let text = Proof(.smsCode, address: "+4915112345671")

    static let rows: [Row] = [
        // The four levels of the developer guide.
        Row([Proof(.password)], 1, ["pwd"]),
        Row([mail], 2, ["email_otp"]),
        Row([text], 2, ["sms"]),
        Row([Proof(.passkey)], 3, ["swk"]),
        Row([Proof(.verifiedPasskey)], 3, ["swk", "mfa"]),
        Row([Proof(.password), mail], 3, ["pwd", "email_otp", "mfa"]),
        Row([text, Proof(.password)], 3, ["sms", "pwd", "mfa"]),
        Row([Proof(.password), Proof(.passkey)], 3, ["pwd", "swk", "mfa"]),
        Row([Proof(.password), Proof(.totp)], 4, ["pwd", "otp", "mfa"]),
        // Proofs without a place in it count for nothing more.
        Row([], nil, []),
        Row([Proof(.provider)], nil, ["fed"]),
        Row([Proof(.provider), Proof(.totp)], nil, ["fed", "otp", "mfa"]),
        Row([Proof(.totp)], nil, ["otp"]),
        Row([mail, Proof(.totp)], 2, ["email_otp", "otp", "mfa"]),
        Row([Proof(.password), Proof(.recoveryCode)], 1, ["pwd", "mfa"]),
        Row([Proof(.password), Proof(.custom)], 1, ["pwd", "mfa"]),
        // The same thing twice.
        Row([mail, mail], 2, ["email_otp"]),
    ]

    @Test("proofs determine the level and the methods", arguments: rows)
    func table(_ row: Row) {
        let proofs = Proofs(row.proofs)
        #expect(proofs.cognitoLevel?.rawValue == row.level)
        #expect(proofs.cognitoMethods == row.methods)
    }

    @Test("levels have Amazon's URIs, and no other text is one")
    func uris() {
        let uris = ["urn:cognito:loa:1", "urn:cognito:loa:2", "urn:cognito:loa:3", "urn:cognito:loa:4"]
        #expect(CognitoLevel.allCases.map(\.uri) == uris)
        #expect(uris.map { CognitoLevel(uri: $0) } == CognitoLevel.allCases)
        for text in ["urn:cognito:loa:0", "urn:cognito:loa:5", "urn:cognito:loa:", "urn:cognito:loa:01", "4"] {
            #expect(CognitoLevel(uri: text) == nil)
        }
    }
}
