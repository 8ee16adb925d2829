import JSON
import TestSupport
import Testing

/// Each check that `docs/backends.md` demands: a token that only fails this one is refused.
@Suite("Back ends and tokens with one fault")
struct TokenFaultLongTests {
    @Test("the code of the page refuses every faulty token", arguments: Backend.all)
    func page(backend: Backend) async throws {
        try await TestIssuer.run { issuer in
            let good = try [issuer.token(), issuer.token(["aud": "app"])]
            let faulty = try TokenFault.allCases.map { try $0.token(of: issuer) }
            let users = try await backend.users("offline", good + faulty + good, issuer: issuer.address)
            #expect(users.prefix(2) == ["user-1", "user-1"] && users.suffix(2) == ["user-1", "user-1"])
            for (fault, user) in zip(TokenFault.allCases, users.dropFirst(2)) { #expect(user == nil, "\(fault)") }
        }
    }

    @Test("samples/api refuses every faulty token, and survives it")
    func sample() async throws {
        try await TestIssuer.run { issuer in
            try await SampleAPIProcess.run(issuer: issuer.address) { api in
                for fault in TokenFault.allCases {
                    try BackendLongTests.expectRefusal(try await api.get("/me", try fault.token(of: issuer)))
                    let good = try await api.get("/me", try issuer.token())
                    #expect(good.status == 200 && good.json == ["id": "user-1"], "after \(fault): \(good.text)")
                }
            }
        }
    }

    @Test("samples/api asks for a token, answers 503 without the gateway, and permits only its website")
    func requests() async throws {
        let gone = "http://127.0.0.1:\(try FreePort.choose())"
        let token = Fresh.text()
        try await TestIssuer.run { issuer in
            try await SampleAPIProcess.run(issuer: gone) { api in
                let missing = try await api.get("/me")
                #expect(missing.status == 401)
                #expect(missing.header("WWW-Authenticate") == #"Bearer realm="sample-api""#)
                let basic = try await api.send(TestRequest("GET", "/me").header("Authorization", "Basic \(token)"))
                #expect(basic.header("WWW-Authenticate") == #"Bearer realm="sample-api""#)
                #expect(try await api.get("/me", try issuer.token()).status == 503)
                let question = TestRequest("OPTIONS", "/me").header("Origin", "https://evil.example")
                    .header("Access-Control-Request-Method", "GET")
                #expect(try await api.send(question).header("Access-Control-Allow-Origin") == nil)
            }
        }
    }

    @Test("samples/api reads a new key, and made-up key ids cause few reads")
    func keys() async throws {
        try await TestIssuer.run { issuer in
            try await SampleAPIProcess.run(issuer: issuer.address) { api in
                // The first reading of the keys may exceed the sample's time limit on a busy machine.
                let first = try issuer.token()
                try await poll { try await api.get("/me", first).status == 200 ? () : nil }
                let (begun, reads) = (ContinuousClock.now, issuer.reads)
                for number in 0..<20 {
                    let answer = try await api.get("/me", try issuer.token())
                    #expect(answer.status == 200, "\(answer.text)")
                    try BackendLongTests.expectRefusal(
                        try await api.get("/me", try issuer.token(header: ["kid": .string("made-up-\(number)")])))
                }
                let periods = Int((ContinuousClock.now - begun) / .seconds(10))
                #expect(issuer.reads <= reads + 1 + periods)
                try issuer.addKey("k2")
                let token = try issuer.token(header: ["kid": "k2"])
                try await poll { try await api.get("/me", token).status == 200 ? () : nil }
            }
        }
    }
}
