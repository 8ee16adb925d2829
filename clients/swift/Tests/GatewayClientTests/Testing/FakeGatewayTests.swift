import Foundation
import GatewayClient
import GatewayClientTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What the transcripts don't show, as an app's tests use it: without `@testable`.
@Suite("The fake gateway")
struct FakeGatewayTests {
    private static let password = Credential.password(username: "bob@example.com", password: "any")

    private static func session(at gateway: FakeGateway, _ client: GatewayClient? = nil) async throws -> Session {
        try #require(try await (client ?? gateway.client()).signIn(password).session)
    }

    @Test("Without a script it signs in the user whom the app names, and keeps the calls")
    func success() async throws {
        let gateway = FakeGateway()
        let session = try await Self.session(at: gateway)
        #expect(session.account.email == "bob@example.com")
        #expect(try await session.profile().email == "bob@example.com")
        try await session.signOut()
        #expect(await gateway.calls.map(\.name) == ["POST /v1/sign-in", "GET /v1/account", "POST /v1/sign-out"])
        #expect(await gateway.calls.first?.body?["credential"]?["password"] == "any")
    }

    @Test("A guest is a new account without an address")
    func guest() async throws {
        let session = try #require(try await FakeGateway().client().signIn(.guest).session)
        #expect(session.account.isGuest && session.account.email == nil)
        #expect(session.signIn?.isNewAccount == true)
    }

    @Test("A sign-up asks for its code, and the account has the names of the form")
    func signUp() async throws {
        let form = SignUpForm(username: "+4915112345678", password: "any", email: "c@example.com", displayName: "Cem")
        let step = try #require(try await FakeGateway().client().signUp(form).step)
        #expect(step.sentCode?.delivery?.codeLength == 6)
        let session = try #require(try await step.answer(.code("123456")).session)
        #expect(session.account.displayName == "Cem" && session.account.email == "c@example.com")
        #expect(session.signIn?.isNewAccount == true)
    }

    @Test("Another code is the same question of the same flow")
    func resend() async throws {
        let gateway = FakeGateway(.textMessageCode(), .success(), .signedIn())
        let step = try #require(try await gateway.client().signIn(Self.password).step)
        let again = try await step.resend()
        #expect(again.sentCode?.delivery?.medium == .sms)
        #expect(try await again.answer(.code("123456")).session != nil)
        let error = await #expect(throws: GatewayError.self) { try await step.answer(.code("123456")) }
        #expect(error?.code == .flowExpired, "a flow works once")
    }

    @Test("A passkey step is answered by the fake dialogues, and so is Apple")
    func dialogues() async throws {
        let dialogues = FakeDialogues()
        let client = FakeGateway(.passkey()).client()
        #expect(try await client.signIn(with: dialogues).session != nil)
        let credential = try await dialogues.appleCredential(nonce: try await client.nonce())
        #expect(try await client.signIn(credential).session?.identity?.provider == "apple")
    }

    @Test("A step by its name has the members of the script")
    func namedStep() async throws {
        let gateway = FakeGateway(
            .step("continue_sign_in_with_totp_setup", ["totp": ["secret": "ABCD", "uri": "otpauth://totp/App"]]))
        guard case .setUpAuthenticator(let setUp) = try await gateway.client().signIn(Self.password).step else {
            Issue.record("another step")
            return
        }
        #expect(setUp.secret == "ABCD")
    }

    @Test("Time passes only by the test: the token is then refreshed")
    func clock() async throws {
        let gateway = FakeGateway()
        let session = try await Self.session(at: gateway)
        let first = try await session.accessToken()
        #expect(try await session.accessToken() == first)
        gateway.advance(seconds: 600)
        #expect(try await session.accessToken() != first)
        #expect(await gateway.calls.map(\.name) == ["POST /v1/sign-in", "POST /v1/token/refresh"])
    }

    @Test("Offline nothing arrives, and the session stays")
    func offline() async throws {
        let (gateway, store) = (FakeGateway(), MemoryTokenStore())
        _ = try await Self.session(at: gateway, gateway.client(store: store))
        await gateway.goOffline()
        gateway.advance(seconds: 600)
        let session = try #require(try await gateway.client(store: store).session())
        let error = await #expect(throws: GatewayError.self) { try await session.accessToken() }
        guard case .unreachable = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        await gateway.goOnline()
        _ = try await session.accessToken()
        #expect(await gateway.calls.count == 2)
    }

    @Test("One lost connection is one reply of the script")
    func lostConnection() async throws {
        let gateway = FakeGateway(.noConnection())
        await #expect(throws: GatewayError.self) { try await gateway.client().signIn(Self.password) }
        _ = try await Self.session(at: gateway)
    }

    @Test("An end elsewhere reaches the next call, with its reason")
    func ended() async throws {
        let gateway = FakeGateway()
        let session = try await Self.session(at: gateway)
        await gateway.endSessions(reason: "credentials_changed")
        let error = await #expect(throws: GatewayError.self) { try await session.profile() }
        guard case .sessionEnded(let end) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(end.problem?.reason == "credentials_changed")
        await gateway.endSessions()
        _ = try await Self.session(at: gateway).profile()
    }

    @Test("Other calls, also of a back end, get the answers of the test; without one the error says how")
    func ownAnswers() async throws {
        let backEnd = try #require(URL(string: "https://api.example.com/orders"))
        let gateway = FakeGateway()
        let session = try await Self.session(at: gateway, gateway.client(backEnds: [backEnd]))
        await gateway.on("GET /orders", .answer(["count": 2]))
        let (data, _) = try await session.data(for: URLRequest(url: backEnd))
        #expect(try JSONDecoder().decode(JSONValue.self, from: data) == ["count": 2])
        let error = await #expect(throws: GatewayError.self) { try await session.devices() }
        guard case .unreachable(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect("\(cause)".contains(#"on("GET /v1/account/devices""#))
    }

    /// A refusal's status and title are those of the server's catalogue, as far as `docs/errors.md` has them.
    @Test("Its refusals have the status of docs/errors.md")
    func statuses() async throws {
        let page = try Repository.text("docs/errors.md")
        for reply: FakeGateway.Reply in [
            .invalidCredentials(), .wrongCode(), .throttled(), .resendTooSoon(), .sessionEnded(),
        ] {
            let error = await #expect(throws: GatewayError.self) {
                try await FakeGateway(reply).client().signIn(Self.password)
            }
            let problem = try #require(error?.problem)
            #expect(page.contains("| `\(problem.code.rawValue)` | \(problem.status) |"))
        }
    }
}
