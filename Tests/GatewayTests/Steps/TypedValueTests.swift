import JSON
import Postgres
import Providers
import Testing

/// The ways in which keyboards and pastes spell a code.
enum CodeSpelling: String, CaseIterable, Sendable {
    case wide, arabic, marked, grouped

    func of(_ code: String) -> String {
        switch self {
        case .wide: Self.shifted(code) { $0 == "-" || !$0.isASCII ? 0 : 0xFEE0 }
        case .arabic: Self.shifted(code) { (0x30...0x39).contains($0.value) ? 0x630 : 0 }
        case .marked: "\u{FEFF}" + code.map { String($0) }.joined(separator: "\u{200B}")
        case .grouped: "\(code.prefix(3))-\(code.dropFirst(3))\u{A0}"
        }
    }

    private static func shifted(_ code: String, by distance: (Unicode.Scalar) -> UInt32) -> String {
        String(
            String.UnicodeScalarView(
                code.unicodeScalars.map { Unicode.Scalar($0.value + distance($0)) ?? $0 }))
    }
}

extension StepTests {
    @Suite("Typed codes, addresses and numbers")
    struct TypedValueTests {
        @Test(
            "3-R1: a code works as keyboards and pastes spell it: mailed, of an app, and for recovery",
            arguments: CodeSpelling.allCases)
        func spellings(spelling: CodeSpelling) async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let flow = try await gateway.beginSignUp(email)
            let first = spelling.of(try await gateway.mailedCode(to: email))
            _ = try SignedInAnswer(
                try await gateway.post(
                    "/v1/sign-up/confirm", ["flow": .string(flow), "response": ["code": .string(first)]]))
            let begun = try PendingAnswer(try await gateway.begin("email_otp", email)).flow
            let second = spelling.of(try await gateway.mailedCode(to: email, number: 2))
            _ = try SignedInAnswer(try await gateway.answer(begun, ["code": .string(second)]))

            let person = try await gateway.protectedPerson()
            let asked = try await gateway.passwordProved(person.email).flow
            let shown = spelling.of(try await gateway.freshCode(person))
            _ = try SignedInAnswer(try await gateway.answer(asked, ["code": .string(shown)]))
            let again = try await gateway.passwordProved(person.email).flow
            let written = spelling.of(try #require(person.recoveryCodes.first))
            _ = try SignedInAnswer(try await gateway.answer(again, ["recovery_code": .string(written)]))
        }

        @Test("3-R1: a text that cannot be a code is refused and costs no try")
        func noCode() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            let flow = try await gateway.beginSignUp(email)
            let code = try await gateway.mailedCode(to: email)
            // One more than the tries of a code.
            for text in ["12345", "1234567", "abcdef", "\u{200B}", "12 34", "①②③④⑤⑥"] {
                let answer = try await gateway.post(
                    "/v1/sign-up/confirm", ["flow": .string(flow), "response": ["code": .string(text)]])
                #expect(answer.code == "invalid_request", "\(text): \(answer.text)")
                let fault = answer.json["errors"]?.array?.first
                #expect(fault?["pointer"] == "/response/code" && fault?["code"] == "not_a_code", "\(answer.text)")
            }
            _ = try SignedInAnswer(
                try await gateway.post(
                    "/v1/sign-up/confirm", ["flow": .string(flow), "response": ["code": .string(code)]]))

            let person = try await gateway.protectedPerson()
            let asked = try await gateway.passwordProved(person.email).flow
            let others: [JSONObject] = Array(repeating: ["code": "12345"], count: 6) + [["recovery_code": "aaaaa"]]
            for response in others {
                #expect(try await gateway.answer(asked, response).code == "invalid_request")
            }
            _ = try SignedInAnswer(
                try await gateway.answer(asked, ["code": .string(try await gateway.freshCode(person))]))
        }

        @Test("3-R4: an international domain is one mailbox in every spelling, and a lookalike is another")
        func internationalDomain() async throws {
            let gateway = try GatewayProcess.current
            let (name, label) = (Fresh.text(), Fresh.text())
            let typed = "\(name)@exümple-\(label).example"
            let ascii = try #require(ExternalEmail(address: typed, authority: .unverified)?.address)
            #expect(ascii.hasPrefix("\(name)@xn--"))
            let person = try await gateway.signUp(ascii)
            let spellings = [
                typed, ascii, "\(name)@EXÜMPLE-\(label.uppercased()).Example",
                "\(name)@exu\u{308}mple-\(label)。example",
            ]
            for spelling in spellings {
                let credential: JSONObject = [
                    "username": .string(spelling), "password": .string(GatewayProcess.password),
                ]
                let signedIn = try SignedInAnswer(try await gateway.signIn("password", credential: credential))
                #expect(signedIn.account == person.account, "\(spelling)")
            }
            for lookalike in ["\(name)@exumple-\(label).example", "\(name)@\u{435}xümple-\(label).example"] {
                let credential: JSONObject = [
                    "username": .string(lookalike), "password": .string(GatewayProcess.password),
                ]
                #expect(try await gateway.signIn("password", credential: credential).code == "invalid_credentials")
            }
            // An address that a provider does not prove.
            let asked = try await gateway.signIn("acme", ["claims": ["email": .string(typed)]])
            #expect(asked.json["next_step"] != nil, "\(asked.text)")
            #expect(try await gateway.count("select count(*) from account_emails where address_key = \(ascii)") == 1)
        }

        @Test("3-R6: a trunk zero in parentheses is dropped, and one without them is refused")
        func trunkZero() async throws {
            let gateway = try GatewayProcess.current
            let person = try await gateway.signUp(Fresh.email())
            let phone = GatewayProcess.freshPhone()
            let national = phone.dropFirst(3)
            func add(_ typed: String) async throws -> TestAnswer {
                try await gateway.post("/v1/account/addresses", ["address": .string(typed)], bearer: person.accessToken)
            }
            let refused = try await add("+49 0\(national)")
            #expect(refused.code == "invalid_request", "\(refused.text)")
            let pending = try PendingAnswer(try await add("+49 (0)\(national.prefix(3)) \(national.dropFirst(3))"))
            let code = try await gateway.textedCode(to: phone)
            let added = try await gateway.post(
                "/v1/account/addresses/confirm",
                ["flow": .string(pending.flow), "response": ["code": .string(code)]], bearer: person.accessToken)
            #expect(added.status < 300, "\(added.text)")
        }
    }
}
