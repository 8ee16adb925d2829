import GatewayClient
import GatewayClientTesting
import Testing

@Test("A wrong code can be corrected")
func wrongCode() async throws {
    let gateway = FakeGateway(.authenticatorCode(), .wrongCode(triesLeft: 4), .signedIn())
    let password = Credential.password(username: "ann@example.com", password: "any")
    let step = try #require(try await gateway.client().signIn(password).step)
    await #expect(throws: GatewayError.self) { try await step.answer(.code("000000")) }
    #expect(try await step.answer(.code("123456")).session?.account.email == "ann@example.com")
}
