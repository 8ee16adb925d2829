import JSON
import Testing

@testable import Sessions

/// The values of proofs in a token: `amr` of RFC 8176, `acr` "1" or "2".
@Suite("Proofs")
struct ProofsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let proofs: [Proof]
        let amr: [String]
        let acr: String
        var testDescription: String { proofs.map(\.kind.rawValue).joined(separator: " + ") }

        init(_ proofs: [Proof], _ amr: [String], _ acr: String) {
            (self.proofs, self.amr, self.acr) = (proofs, amr, acr)
        }
    }

    private static let (a, b) = ("a@example.com", "b@example.com")
    private static let (one, two) = ("+4915112345671", "+4915112345672")

    static let rows: [Row] = [
        // A guest.
        Row([], [], "0"),
        // One thing.
        Row([Proof(.password)], ["pwd"], "1"),
        Row([Proof(.provider)], ["fed"], "1"),
        Row([Proof(.provider, address: a)], ["fed"], "1"),
        Row([Proof(.emailCode, address: a)], ["otp"], "1"),
        Row([Proof(.smsCode, address: one)], ["sms"], "1"),
        Row([Proof(.totp)], ["otp"], "1"),
        Row([Proof(.recoveryCode)], ["otp"], "1"),
        Row([Proof(.passkey)], ["pop"], "1"),
        // One thing that counts as two.
        Row([Proof(.verifiedPasskey)], ["pop", "user", "mfa"], "2"),
        // The same thing twice.
        Row([Proof(.password), Proof(.password)], ["pwd"], "1"),
        Row([Proof(.totp), Proof(.totp)], ["otp"], "1"),
        Row([Proof(.passkey), Proof(.passkey)], ["pop"], "1"),
        Row([Proof(.recoveryCode), Proof(.recoveryCode)], ["otp"], "1"),
        Row([Proof(.emailCode, address: a), Proof(.emailCode, address: a)], ["otp"], "1"),
        Row([Proof(.smsCode, address: one), Proof(.smsCode, address: one)], ["sms"], "1"),
        Row([Proof(.provider, address: a), Proof(.emailCode, address: a)], ["fed", "otp"], "1"),
        Row([Proof(.provider, address: a), Proof(.provider, address: a)], ["fed"], "1"),
        // Two things.
        Row([Proof(.password), Proof(.totp)], ["pwd", "otp", "mfa"], "2"),
        Row([Proof(.password), Proof(.emailCode, address: a)], ["pwd", "otp", "mfa"], "2"),
        Row([Proof(.password), Proof(.smsCode, address: one)], ["pwd", "sms", "mfa"], "2"),
        Row([Proof(.password), Proof(.recoveryCode)], ["pwd", "otp", "mfa"], "2"),
        Row([Proof(.password), Proof(.passkey)], ["pwd", "pop", "mfa"], "2"),
        Row([Proof(.provider, address: a), Proof(.emailCode, address: b)], ["fed", "otp", "mfa"], "2"),
        Row([Proof(.provider), Proof(.totp)], ["fed", "otp", "mfa"], "2"),
        Row([Proof(.emailCode, address: a), Proof(.totp)], ["otp", "mfa"], "2"),
        Row([Proof(.smsCode, address: one), Proof(.smsCode, address: two)], ["sms", "mfa"], "2"),
        Row([Proof(.password), Proof(.verifiedPasskey)], ["pwd", "pop", "user", "mfa"], "2"),
    ]

    @Test("proofs determine `amr` and `acr`", arguments: rows)
    func table(_ row: Row) {
        let proofs = Proofs(row.proofs)
        #expect(proofs.methods == row.amr)
        #expect(proofs.level == row.acr)
        #expect(proofs.isMultiFactor == (row.acr == "2"))
    }

    @Test("stored proofs are read back", arguments: rows)
    func roundTrip(_ row: Row) {
        let proofs = Proofs(row.proofs)
        #expect(Proofs(proofs.json) == proofs)
    }

    @Test("unreadable proofs prove nothing")
    func unreadable() {
        #expect(Proofs(nil) == Proofs())
        #expect(Proofs(.string("password")) == Proofs())
        #expect(Proofs([["kind": "wish"], ["address": "a"], "password", nil]) == Proofs())
    }

    @Test("a proof is appended; an absent one adds nothing")
    func adding() {
        let proofs = Proofs([Proof(.password)])
        #expect(proofs.adding(nil) == proofs)
        #expect(proofs.adding(Proof(.totp)).list == [Proof(.password), Proof(.totp)])
    }
}
