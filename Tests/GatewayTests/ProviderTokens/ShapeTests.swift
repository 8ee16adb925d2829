import JSON
import Testing

extension ProviderTokenTests {
    @Suite("Malformed tokens, and codes")
    struct ShapeTests {
        /// A change of a valid token, and the expected reason.
        struct Bend: Sendable, CustomTestStringConvertible {
            let name: String
            let reason: String
            let apply: @Sendable (String) -> String

            var testDescription: String { name }
        }

        private static let bends: [Bend] = [
            Bend(name: "empty", reason: "token_missing") { _ in "" },
            Bend(name: "60,000 bytes", reason: "token_too_large") { $0 + String(repeating: "A", count: 60_000) },
            Bend(name: "one dot", reason: "token_malformed") { _ in "eyJhbGciOiJSUzI1NiJ9.e30" },
            Bend(name: "three dots", reason: "token_malformed") { $0 + ".e30" },
            Bend(name: "a dot at the end", reason: "token_malformed") { $0 + "." },
            Bend(name: "a dot in front", reason: "token_malformed") { "." + $0 },
            Bend(name: "padding", reason: "token_malformed") { $0 + "==" },
            Bend(name: "a space behind", reason: "token_malformed") { $0 + " " },
            Bend(name: "a space in front", reason: "token_malformed") { " " + $0 },
            Bend(name: "a line feed", reason: "token_malformed") { $0 + "\n" },
            Bend(name: "standard base64", reason: "token_malformed") { Tokens.replacing(2, of: $0, by: "ab+/") },
            Bend(name: "the word Bearer", reason: "token_malformed") { "Bearer " + $0 },
            Bend(name: "an empty payload", reason: "token_malformed") { Tokens.replacing(1, of: $0, by: "") },
            // 256 bytes of signature leave four spare bits in the last character, which must be zero.
            Bend(name: "loose bits at the end", reason: "token_malformed") { token in
                Tokens.replacing(2, of: token, by: "AB")
            },
            Bend(name: "not UTF-8", reason: "json_malformed") {
                Tokens.replacingPayload(of: $0, by: [0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D])
            },
            Bend(name: "a nested list", reason: "json_malformed") { token in
                let deep = #"{"a":"# + String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000) + "}"
                return Tokens.replacingPayload(of: token, by: Array(deep.utf8.prefix(3_000)))
            },
            Bend(name: "a list for payload", reason: "json_malformed") {
                Tokens.replacingPayload(of: $0, by: Array("[]".utf8))
            },
            Bend(name: "one name twice", reason: "json_malformed") {
                Tokens.replacingPayload(of: $0, by: Array(#"{"sub":"a","sub":"b"}"#.utf8))
            },
            Bend(name: "one name twice, once escaped", reason: "json_malformed") {
                Tokens.replacingPayload(of: $0, by: Array(#"{"sub":"a","\u0073ub":"b"}"#.utf8))
            },
            Bend(name: "a mark in front", reason: "json_malformed") {
                Tokens.replacingPayload(of: $0, by: [0xEF, 0xBB, 0xBF, 0x7B, 0x7D])
            },
        ]

        @Test("J-21: a text that is not a token is a malformed request", arguments: TokenAttack.signed, bends)
        func malformed(provider: String, bend: Bend) async throws {
            let gateway = try GatewayProcess.current
            let token = bend.apply(try await gateway.simulator.mint(provider).token)
            let answer = try await gateway.signIn(provider, credential: [Minted.tokenMember(provider): .string(token)])
            try await gateway.expectRefusal(answer, 400, "invalid_request", provider: provider)
            #expect(answer.json["errors"]?.array?.first?["code"]?.string == bend.reason, "\(answer.text)")
            #expect(
                answer.json["errors"]?.array?.first?["pointer"]?.string == "/credential/\(Minted.tokenMember(provider))"
            )
        }

        @Test("J-21: a token of a megabyte is not even read", arguments: ["apple", "amazon", "acme"])
        func megabyte(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let answer = try await gateway.signIn(
                provider, credential: [Minted.tokenMember(provider): .string(String(repeating: "A", count: 1 << 20))])
            #expect(answer.status == 413)
            #expect(answer.code == "body_too_large")
        }

        @Test("J-21: ten thousand nested lists in a request are refused as JSON")
        func nestedRequest() async throws {
            let gateway = try GatewayProcess.current
            let body =
                #"{"provider":"apple","credential":"# + String(repeating: "[", count: 10_000)
                + String(repeating: "]", count: 10_000) + "}"
            let answer = try await gateway.send(
                TestRequest("POST", "/v1/sign-in").header("Content-Type", "application/json").bytes(Array(body.utf8)))
            try await gateway.expectRefusal(answer, 400, "malformed_request")
        }

        @Test("J-21: a token that is not a text is a malformed request", arguments: [JSON.null, 1, true, ["a"], [:]])
        func wrongType(value: JSON) async throws {
            let gateway = try GatewayProcess.current
            for provider in TokenAttack.signed + ["amazon"] {
                let answer = try await gateway.signIn(provider, credential: [Minted.tokenMember(provider): value])
                try await gateway.expectRefusal(answer, 400, "invalid_request", provider: provider)
            }
        }

        @Test(
            "J-21: an Amazon token of another shape never leaves the gateway",
            arguments: [
                "Atzr|refresh", "eyJhbGciOiJub25lIn0.e30.", "Atza%7Cabc", "atza|abc", "Atza|a b", "Atza|ä", " Atza|abc",
            ])
        func amazonShapes(token: String) async throws {
            let gateway = try GatewayProcess.current
            let answer = try await gateway.signIn("amazon", credential: ["access_token": .string(token)])
            try await gateway.expectRefusal(answer, 400, "invalid_request", provider: "amazon")
        }

        // MARK: Codes

        @Test("J-27: an Apple code of another app links and stores nothing")
        func codeOfOtherApp() async throws {
            let gateway = try GatewayProcess.current
            let subject = Fresh.subject("apple")
            let mine = try await gateway.simulator.mint("apple", ["subject": .string(subject)])
            let other = try await gateway.simulator.mint(
                "apple", ["subject": .string(subject), "client_id": "com.other.app"])
            try await expectCodeRefused(gateway, mine, code: other, "code_invalid", subject)
        }

        @Test("J-27: an Apple code of another user links and stores nothing")
        func codeOfOtherPerson() async throws {
            let gateway = try GatewayProcess.current
            let subject = Fresh.subject("apple")
            let mine = try await gateway.simulator.mint(
                "apple", ["subject": .string(subject), "claims": ["c_hash": nil]])
            let other = try await gateway.simulator.mint("apple")
            try await expectCodeRefused(gateway, mine, code: other, "code_token_mismatch", subject)
        }

        @Test("J-27: a used or unknown Apple code is refused")
        func usedCode() async throws {
            let gateway = try GatewayProcess.current
            let subject = Fresh.subject("apple")
            let first = try await gateway.simulator.mint("apple", ["subject": .string(subject)])
            _ = try SignedInAnswer(try await gateway.signIn("apple", credential: first.codeCredential()))
            var credential = try await gateway.simulator.mint("apple", ["subject": .string(subject)]).credential()
            let used = try #require(first.members["authorization_code"]?.string)
            for code in [used, "nobodys-code"] {
                credential["authorization_code"] = .string(code)
                let answer = try await gateway.signIn("apple", credential: credential)
                try await gateway.expectRefusal(answer, 401, "code_invalid", provider: "apple")
            }
        }

        @Test(
            "J-27: a code with another verifier or address gives no tokens", arguments: ["google", "acme", "amazon"],
            ["code_verifier", "redirect_uri"])
        func codeBinding(provider: String, member: String) async throws {
            let gateway = try GatewayProcess.current
            let subject = Fresh.subject(provider)
            var credential = try await gateway.simulator.mint(provider, ["subject": .string(subject)]).codeCredential()
            credential[member] = .string(
                member == "redirect_uri" ? "https://evil.example/callback" : String(repeating: "v", count: 43))
            let answer = try await gateway.signIn(provider, credential: credential)
            try await gateway.expectRefusal(answer, 401, "code_invalid", provider: provider)
            try await gateway.expectNobody(provider, subject)
        }

        @Test("J-27: a code works once", arguments: ["google", "acme", "amazon"])
        func codeOnce(provider: String) async throws {
            let gateway = try GatewayProcess.current
            let credential = try await gateway.simulator.mint(provider).codeCredential()
            _ = try SignedInAnswer(try await gateway.signIn(provider, credential: credential))
            try await gateway.expectRefusal(
                try await gateway.signIn(provider, credential: credential), 401, "code_invalid", provider: provider)
        }

        private func expectCodeRefused(
            _ gateway: GatewayProcess, _ mine: Minted, code other: Minted, _ reason: String, _ subject: String
        ) async throws {
            var credential = mine.credential()
            credential["authorization_code"] = other.members["authorization_code"]
            let answer = try await gateway.signIn("apple", credential: credential)
            try await gateway.expectRefusal(answer, 401, reason, provider: "apple")
            try await gateway.expectNobody("apple", subject)
            // The attempt did not spend the token.
            _ = try SignedInAnswer(try await gateway.signIn(mine))
        }
    }
}
