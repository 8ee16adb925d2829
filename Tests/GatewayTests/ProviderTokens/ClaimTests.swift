import Foundation
import JSON
import Postgres
import Testing

extension ProviderTokenTests {
    @Suite("Times, subjects, addresses")
    struct ClaimTests {
        private static let timeAttacks: [TokenAttack] = TokenAttack.signed.flatMap { provider in
            [
                TokenAttack(provider, "no exp", "claim_type", claims: ["exp": nil]),
                TokenAttack(provider, "exp a text", "claim_type", claims: ["exp": "4102444800"]),
                TokenAttack(provider, "exp 1e300", "claim_type", claims: ["exp": .double(1e300)]),
                TokenAttack(provider, "exp negative", "claim_type", claims: ["exp": -1]),
                TokenAttack(provider, "exp a list", "claim_type", claims: ["exp": [4_102_444_800]]),
                TokenAttack(provider, "exp true", "claim_type", claims: ["exp": true]),
                TokenAttack(provider, "exp null", "claim_type", ["null_claims": ["exp"]]),
                TokenAttack(provider, "exp 0", "expired", claims: ["exp": 0]),
                TokenAttack(
                    provider, "exp five minutes ago", "expired", times: ["exp": -300, "iat": -400]),
                TokenAttack(provider, "no iat", "issued_at_invalid", claims: ["iat": nil]),
                TokenAttack(provider, "iat a text", "claim_type", claims: ["iat": "1"]),
                TokenAttack(provider, "iat 1e300", "claim_type", claims: ["iat": .double(1e300)]),
                TokenAttack(provider, "iat negative", "claim_type", claims: ["iat": -1]),
                TokenAttack(provider, "iat after exp", "issued_at_invalid", times: ["iat": 55, "exp": 50]),
                TokenAttack(provider, "iat a day ago", "too_old", times: ["iat": -86_400 / 2]),
                TokenAttack(provider, "nbf a text", "claim_type", claims: ["nbf": "0"]),
            ]
        }

        @Test("J-14: a missing, malformed or past time refuses the token", arguments: timeAttacks)
        func times(attack: TokenAttack) async throws {
            try await GatewayProcess.current.expectRefusal(of: attack)
        }

        /// Adapter tests check the exact second with their own clock; here a test takes real time.
        @Test(
            "J-15: a clock may be at most a minute ahead", arguments: TokenAttack.signed,
            ["iat", "nbf"])
        func clocksAhead(provider: String, claim: String) async throws {
            let gateway = try GatewayProcess.current
            for ahead in [1, 55] {
                _ = try await gateway.session(provider, ["claims": [claim: .integer(Self.seconds(ahead))]])
            }
            let code = claim == "iat" ? "issued_at_invalid" : "not_yet_valid"
            try await gateway.expectRefusal(
                of: TokenAttack(provider, "two minutes ahead", code, claims: [claim: .integer(Self.seconds(120))]))
        }

        private static let subjectAttacks: [TokenAttack] = TokenAttack.signed.flatMap { provider -> [TokenAttack] in
            let claim = provider == "microsoft" ? "oid" : "sub"
            let values: [(String, JSON)] = [
                ("empty", ""), ("a number", 12_345), ("true", true), ("a list", ["a"]), ("undefined", "undefined"),
                ("null as text", "null"),
                ("NULL as text", "NULL"), ("[object Object]", "[object Object]"),
                ("10 KB", .string(String(repeating: "a", count: 5_000))),
                ("not ASCII", "ä"), ("a line feed", "a\nb"),
            ]
            return values.map { TokenAttack(provider, "\(claim) \($0.0)", "subject_invalid", claims: [claim: $0.1]) }
                + [
                    TokenAttack(provider, "no \(claim)", "subject_invalid", claims: [claim: nil]),
                    TokenAttack(provider, "\(claim) null", "subject_invalid", ["null_claims": [.string(claim)]]),
                ]
        }

        @Test("J-19: a token without a subject is refused, and no account is created", arguments: subjectAttacks)
        func subjects(attack: TokenAttack) async throws {
            try await GatewayProcess.current.expectRefusal(of: attack)
        }

        /// A provider, its claim about the address, and whether that is a proof.
        struct Flag: Sendable, CustomTestStringConvertible {
            let provider: String
            let claim: String
            let value: JSON?
            let counts: Bool

            var testDescription: String { "\(provider): \(claim) \(value?.text ?? "absent")" }

            /// An address of the provider's authority.
            var address: String { Fresh.email(provider == "acme" ? "acme.example" : "example.com") }
        }

        private static let verifiedFlags: [Flag] = ["apple", "google", "acme", "cognito"].flatMap { provider in
            let values: [JSON?] = [true, "true", "True", "TRUE", " true", "false", false, 1, 0, "1", "", [true], nil]
            return values.map { value in
                Flag(
                    provider: provider, claim: "email_verified", value: value,
                    counts: value == true || value == "true" && provider == "apple")
            }
        }

        private static let ownerFlags: [Flag] = {
            let values: [(JSON?, Bool)] = [
                (nil, false), (false, false), ("false", false), (0, false), ("0", false), ("", false), ([true], false),
                (2, false), ("yes", false),
                (true, true), (1, true), ("1", true), ("true", true),
            ]
            return values.map { Flag(provider: "microsoft", claim: "xms_edov", value: $0.0, counts: $0.1) }
        }()

        @Test("3-R9: Entra's name of a guest is no address, proved or not, and is shown nowhere")
        func guest() async throws {
            let gateway = try GatewayProcess.current
            let guest = JSON.string("\(Fresh.text())_example.org#EXT#@contoso.onmicrosoft.com")
            var members: JSONObject = [:]
            for name in ["email", "preferred_username", "upn", "verified_primary_email", "name"] {
                members[name] = guest
            }
            var proved = members
            proved["xms_edov"] = true
            for claims in [members, proved] {
                let signedIn = try await gateway.session("microsoft", ["claims": .object(claims)])
                #expect(!signedIn.answer.text.contains("#EXT#"), "\(signedIn.answer.text)")
                let kept = try await gateway.count(
                    """
                    select (select count(*) from account_emails where account_id = \(signedIn.account)::uuid)
                         + (select count(*) from identities where account_id = \(signedIn.account)::uuid and email is not null)
                         + (select count(*) from accounts where id = \(signedIn.account)::uuid and display_name is not null)
                    """)
                #expect(kept == 0)
            }
        }

        @Test(
            "J-09, J-10: only the provider's own form of verified counts, and the sign-in works either way",
            arguments: verifiedFlags + ownerFlags)
        func flags(flag: Flag) async throws {
            let gateway = try GatewayProcess.current
            let address = flag.address
            let signedIn = try await gateway.session(
                flag.provider, ["email": .string(address), "claims": [flag.claim: flag.value ?? .null]])
            #expect(signedIn.email == address)
            #expect(signedIn.emailVerified == flag.counts)
        }

        @Test(
            "J-09, J-10: an address without proof never joins the account that has proved it",
            arguments: verifiedFlags + ownerFlags)
        func flagsNeverLink(flag: Flag) async throws {
            let gateway = try GatewayProcess.current
            let address = flag.address
            let holder = try await gateway.session("apple", ["email": .string(address)])
            let answer = try await gateway.signIn(
                flag.provider, ["email": .string(address), "claims": [flag.claim: flag.value ?? .null]])
            if flag.counts {
                #expect(try SignedInAnswer(answer).account == holder.account)
            } else {
                #expect(answer.json["next_step"]?["type"] == "link_account", "\(answer.text)")
                #expect(answer.json["session"] == nil)
                #expect(!answer.text.contains(holder.account))
            }
        }

        @Test("J-09: a verified address outside the provider's domains counts as unproved")
        func foreignDomain() async throws {
            let gateway = try GatewayProcess.current
            for (provider, domain) in [
                ("acme", "example.com"), ("acme", "evil-acme.example"), ("acme", "sub.acme.example"),
                ("google", "example.org"),
            ] {
                #expect(
                    try await gateway.session(provider, ["email": .string(Fresh.email(domain))]).emailVerified == false,
                    "\(provider) \(domain)")
            }
            #expect(
                try await gateway.session("google", ["email": .string(Fresh.email("gmail.com"))]).emailVerified == true)
        }

        /// Seconds since 1970, this far ahead of now.
        static func seconds(_ ahead: Int) -> Int { Int(Date().timeIntervalSince1970) + ahead }
    }
}
