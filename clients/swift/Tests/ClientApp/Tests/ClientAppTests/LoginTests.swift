import App
import Foundation
import GatewayClientTesting
import Testing

@Suite("An app that takes the Swift client by address and version")
struct LoginTests {
    @Test("It compiles, and its tests use the fake gateway")
    func signIn() async {
        let login = Login(client: FakeGateway(.authenticatorCode(), .throttled(), .noConnection()).client())
        #expect(await login.signIn(password: "any") == "One more question.")
        #expect(await login.signIn(password: "any") == "Slow down")
        #expect(await login.signIn(password: "any") == "The server can't be reached. Check your connection.")
        #expect(await login.signIn(password: "any") == "Hello, ann@example.com.")
    }

    @Test("It fetches the repository and no other package")
    func dependencies() throws {
        let folder = try #require(ProcessInfo.processInfo.environment["CLIENT_APP_CHECKOUTS"])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["login-gateway"])
    }
}
