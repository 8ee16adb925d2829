import JSON
import TestSupport
import Testing

/// Notices in the language of their reader.
@Suite("The language of notices", .gateway())
struct NoticeLanguageTests {
    @Test("a notice has the language of the request that began the session")
    func ofSession() async throws {
        let gateway = try GatewayProcess.current
        let email = Fresh.email()
        let flow = try await gateway.beginSignUp(email)
        let code = try await gateway.mailedCode(to: email)
        let confirmation = TestRequest("POST", "/v1/sign-up/confirm")
            .json(["flow": .string(flow), "response": ["code": .string(code)]])
            .header("Accept-Language", "fr, de-AT;q=0.9, en;q=0.5")
        let session = try SignedInAnswer(try await gateway.send(confirmation))
        #expect(try await gateway.get("/v1/account/export", bearer: session.accessToken).status == 200)
        _ = try await poll {
            gateway.mails(to: email).first { $0.subject.contains("wurden heruntergeladen") }
        }
    }
}
