import Foundation
import GatewayClient
import Testing

@testable import SampleLogic

@Suite("The iOS sample")
@MainActor
struct SampleLogicTests {
    private static let load = ["GET /v1/account", "GET /v1/account/sessions"]

    @Test("Without a stored session it shows the sign-in")
    func signedOut() async throws {
        let rehearsal = try Rehearsal()
        #expect(rehearsal.model.state.screen == .starting)
        await rehearsal.model.start()
        #expect(rehearsal.model.state.screen == .signIn)
        #expect(rehearsal.model.state.message == nil)
    }

    @Test("A stored session leads to its account")
    func restored() async throws {
        let store = MemoryTokenStore()
        await (try Rehearsal(store: store)).signedIn()
        let second = try Rehearsal(store: store)
        await second.gateway.add((200, Answer.profile()), (200, Answer.sessions))
        await second.model.start()
        #expect(second.model.state.screen == .account)
        #expect(second.model.state.profile?.email == "ann@example.com")
        #expect(second.model.state.sessions.map(\.id) == ["s1", "s9"])
        #expect(await second.gateway.received == Self.load)
    }

    @Test("Without a connection a stored session still leads to the account, with the reason")
    func offline() async throws {
        let store = MemoryTokenStore()
        await (try Rehearsal(store: store)).signedIn()
        let second = try Rehearsal(store: store)
        await second.model.start()
        #expect(second.model.state.screen == .account)
        #expect(second.model.state.message == "The server can't be reached. Check your connection.")
        #expect(!second.model.state.isWorking)
    }

    @Test("A password, and the code after it, sign in")
    func password() async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.gateway.add((200, Answer.step("confirm_sign_in_with_totp_code")))
        await rehearsal.signedIn()
        #expect(rehearsal.model.state.screen == .account)
        #expect(
            await rehearsal.gateway.received == ["POST /v1/sign-in", "POST /v1/sign-in/continue"] + Self.load)
    }

    @Test("Apple signs in with a nonce of the gateway")
    func apple() async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.gateway.add(
            (200, Answer.nonce), (200, Answer.signedIn()), (200, Answer.profile()), (200, Answer.sessions))
        await rehearsal.signIn(.apple)
        #expect(rehearsal.model.state.screen == .account)
        #expect(await rehearsal.gateway.received == ["POST /v1/nonce", "POST /v1/sign-in"] + Self.load)
    }

    @Test("A passkey signs in by its step")
    func passkey() async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.gateway.add(
            (200, Answer.step("confirm_sign_in_with_passkey", Answer.passkey)), (200, Answer.signedIn()),
            (200, Answer.profile()), (200, Answer.sessions))
        await rehearsal.signIn(.passkey)
        #expect(rehearsal.model.state.screen == .account)
        #expect(
            await rehearsal.gateway.received == ["POST /v1/sign-in", "POST /v1/sign-in/continue"] + Self.load)
    }

    @Test(
        "An ended session leads back to the sign-in, with the reason",
        arguments: [
            ("session_ended", "Your session was ended from elsewhere."),
            ("refresh_token_expired", "You did not use the app for a long time."),
            ("refresh_token_reused", "Your session was ended, because it may have been copied."),
            ("refresh_token_invalid", "Your session has ended."),
        ])
    func ended(_ code: String, _ reason: String) async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.add(Answer.problem(code, 401))
        await rehearsal.model.perform(.load)
        await rehearsal.screen(.signIn)
        #expect(rehearsal.model.state.message == reason)
        #expect(rehearsal.model.session == nil)
        #expect(rehearsal.model.state.profile == nil)
    }

    @Test("Another session can be ended")
    func endOther() async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.signedIn()
        let other = try #require(rehearsal.model.state.sessions.last)
        _ = await rehearsal.gateway.takeReceived()
        await rehearsal.gateway.add((204, ""), (200, Answer.profile()), (200, Answer.sessions))
        await rehearsal.model.perform(.end(other))
        #expect(await rehearsal.gateway.received == ["DELETE /v1/account/sessions/s9"] + Self.load)
        #expect(rehearsal.model.state.screen == .account)
    }

    @Test("Signing out forgets the session, also without a connection", arguments: [true, false])
    func signOut(isConnected: Bool) async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.signedIn()
        if isConnected { await rehearsal.gateway.add((204, "")) }
        await rehearsal.model.perform(.signOut)
        #expect(rehearsal.model.state.screen == .signIn)
        #expect(try await rehearsal.client.session() == nil)
    }

    @Test("A deletion names its day, and another sign-in can cancel it")
    func deletion() async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.add((202, Answer.deletion))
        await rehearsal.model.perform(.deleteAccount)
        #expect(rehearsal.model.state.screen == .signIn)
        let message = try #require(rehearsal.model.state.message)
        #expect(message.hasPrefix("Your account will be deleted on ") && message.contains("2026"))

        let pending = #"{"requested_at": "2026-11-21T13:14:19Z", "due_at": "2026-12-05T13:14:19Z"}"#
        await rehearsal.gateway.add(
            (200, Answer.signedIn(session: "s2")), (200, Answer.profile(deletion: pending)), (200, Answer.sessions))
        await rehearsal.signIn(.submit, ["username": "ann@example.com", "password": "correct horse"])
        #expect(rehearsal.model.state.profile?.deletion != nil)
        _ = await rehearsal.gateway.takeReceived()
        await rehearsal.gateway.add((204, ""), (200, Answer.profile()), (200, Answer.sessions))
        await rehearsal.model.perform(.keepAccount)
        #expect(await rehearsal.gateway.received == ["DELETE /v1/account/deletion"] + Self.load)
        #expect(rehearsal.model.state.profile?.deletion == nil)
    }

    @Test("A deletion with an old proof asks for a sign-in, and goes on with the new session")
    func deletionAfterSignIn() async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.add(Answer.problem("reauth_required", 403))
        await rehearsal.model.perform(.deleteAccount)
        #expect(rehearsal.model.state.screen == .signInAgain)
        _ = await rehearsal.gateway.takeReceived()
        await rehearsal.gateway.add((200, Answer.nonce), (200, Answer.signedIn(session: "s2")), (204, ""))
        await rehearsal.signIn(.apple)
        #expect(await rehearsal.gateway.received == ["POST /v1/nonce", "POST /v1/sign-in", "DELETE /v1/account"])
        #expect(rehearsal.model.state.screen == .signIn)
        #expect(rehearsal.model.state.message == "Your account is deleted.")
    }

    @Test("A deletion without the second factor asks for it, and goes on with the new session")
    func deletionAfterStepUp() async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.add(Answer.problem("step_up_required", 403))
        await rehearsal.model.perform(.deleteAccount)
        #expect(rehearsal.model.state.screen == .stepUp)
        _ = await rehearsal.gateway.takeReceived()
        await rehearsal.gateway.add(
            (200, Answer.step("confirm_sign_in_with_totp_code")), (200, Answer.signedIn(session: "s2")), (204, ""))
        await rehearsal.signIn(.submit, ["code": "123456"], stepUp: rehearsal.model.session)
        #expect(
            await rehearsal.gateway.received == [
                "POST /v1/session/step-up", "POST /v1/sign-in/continue", "DELETE /v1/account",
            ])
        #expect(rehearsal.model.state.message == "Your account is deleted.")
    }

    @Test("A sign-in to another account does not delete that account")
    func anotherAccount() async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.add(Answer.problem("reauth_required", 403))
        await rehearsal.model.perform(.deleteAccount)
        _ = await rehearsal.gateway.takeReceived()
        await rehearsal.gateway.add(
            (200, Answer.nonce), (200, Answer.signedIn(session: "s2", account: "a2")), (200, Answer.profile()),
            (200, Answer.sessions))
        await rehearsal.signIn(.apple)
        #expect(await rehearsal.gateway.received == ["POST /v1/nonce", "POST /v1/sign-in"] + Self.load)
        #expect(rehearsal.model.state.screen == .account)
        #expect(rehearsal.model.state.message == "This is another account. Nothing was changed.")
    }

    @Test("A cancelled repetition keeps the account, and a later sign-in deletes nothing")
    func cancelled() async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.add(Answer.problem("reauth_required", 403))
        await rehearsal.model.perform(.deleteAccount)
        rehearsal.model.cancel()
        #expect(rehearsal.model.state.screen == .account)
        #expect(rehearsal.model.state.profile != nil)
        _ = await rehearsal.gateway.takeReceived()
        await rehearsal.signedIn()
        #expect(await rehearsal.gateway.received == ["POST /v1/sign-in"] + Self.load)
    }

    @Test("A new passkey may bring recovery codes to save")
    func addPasskey() async throws {
        let rehearsal = try Rehearsal()
        await rehearsal.signedIn()
        let added =
            #"{"factor": {"id": "f1", "type": "passkey", "name": "Sample app", "preferred": false, "#
            + #""added_at": "2026-11-21T13:10:32Z", "last_used_at": null}, "recovery_codes": ["k3v7q-m2xpa"]}"#
        await rehearsal.gateway.add(
            (200, Answer.step("continue_sign_in_with_passkey_setup", Answer.passkey)), (200, added),
            (200, Answer.profile()), (200, Answer.sessions))
        await rehearsal.model.perform(.addPasskey(Fake()))
        #expect(rehearsal.model.state.message == nil)
        #expect(rehearsal.model.state.recoveryCodes == ["k3v7q-m2xpa"])
    }

    @Test("The configuration needs an address with a host, and a client id")
    func configuration() throws {
        let info = [
            "GatewayURL": "http://localhost:8080", "GatewayClientID": "app", "CFBundleIdentifier": "com.example.app",
        ]
        let configuration = try #require(Configuration(info))
        #expect(configuration.url.absoluteString == "http://localhost:8080")
        #expect(configuration.clientID == "app")
        #expect(configuration.redirectURI == "com.example.app:/signed-in")
        #expect(Configuration(info.merging(["GatewayURL": "http:"]) { $1 }) == nil)
        #expect(Configuration(info.merging(["GatewayClientID": ""]) { $1 }) == nil)
        #expect(Configuration([:]) == nil)
    }
}
