import Foundation
import GatewayClient
import GatewayClientTesting
import Testing

@testable import SampleLogic

@Suite("The iOS sample")
@MainActor
struct SampleLogicTests {
    private static let load = ["GET /v1/account", "GET /v1/account/sessions"]

    @Test("Without a stored session it shows the sign-in")
    func signedOut() async {
        let rehearsal = await Rehearsal()
        #expect(rehearsal.model.state.screen == .starting)
        await rehearsal.model.start()
        #expect(rehearsal.model.state.screen == .signIn)
        #expect(rehearsal.model.state.message == nil)
    }

    @Test("A stored session leads to its account")
    func restored() async {
        let (gateway, store) = (FakeGateway(), MemoryTokenStore())
        await Rehearsal(gateway, store: store).signedIn()
        let second = await Rehearsal(gateway, store: store)
        _ = await second.calls()
        await second.model.start()
        #expect(second.model.state.screen == .account)
        #expect(second.model.state.profile?.email == "ann@example.com")
        #expect(second.model.state.sessions.map(\.id) == ["s1", "s9"])
        #expect(await second.calls() == Self.load)
    }

    @Test("Without a connection a stored session still leads to the account, with the reason")
    func offline() async {
        let (gateway, store) = (FakeGateway(), MemoryTokenStore())
        await Rehearsal(gateway, store: store).signedIn()
        let second = await Rehearsal(gateway, store: store)
        await gateway.goOffline()
        await second.model.start()
        #expect(second.model.state.screen == .account)
        #expect(second.model.state.message == "The server can't be reached. Check your connection.")
        #expect(!second.model.state.isWorking)
    }

    @Test("A password, and the code after it, sign in")
    func password() async {
        let rehearsal = await Rehearsal(FakeGateway(.authenticatorCode()))
        await rehearsal.signedIn()
        #expect(rehearsal.model.state.screen == .account)
        #expect(await rehearsal.calls() == ["POST /v1/sign-in", "POST /v1/sign-in/continue"] + Self.load)
    }

    @Test("Apple signs in with a nonce of the gateway")
    func apple() async {
        let rehearsal = await Rehearsal()
        await rehearsal.signIn(.apple)
        #expect(rehearsal.model.state.screen == .account)
        #expect(await rehearsal.calls() == ["POST /v1/nonce", "POST /v1/sign-in"] + Self.load)
    }

    @Test("A passkey signs in by its step")
    func passkey() async {
        let rehearsal = await Rehearsal(FakeGateway(.passkey()))
        await rehearsal.signIn(.passkey)
        #expect(rehearsal.model.state.screen == .account)
        #expect(await rehearsal.calls() == ["POST /v1/sign-in", "POST /v1/sign-in/continue"] + Self.load)
    }

    @Test(
        "An ended session leads back to the sign-in, with the reason",
        arguments: [
            (ErrorCode.sessionEnded, "Your session was ended from elsewhere."),
            (.refreshTokenExpired, "You did not use the app for a long time."),
            (.refreshTokenReused, "Your session was ended, because it may have been copied."),
            (.refreshTokenInvalid, "Your session has ended."),
        ])
    func ended(_ code: ErrorCode, _ reason: String) async {
        let rehearsal = await Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.on("GET /v1/account", .refused(code, status: 401))
        await rehearsal.model.perform(.load)
        await rehearsal.screen(.signIn)
        #expect(rehearsal.model.state.message == reason)
        #expect(rehearsal.model.session == nil)
        #expect(rehearsal.model.state.profile == nil)
    }

    @Test("Another session can be ended")
    func endOther() async throws {
        let rehearsal = await Rehearsal()
        await rehearsal.signedIn()
        let other = try #require(rehearsal.model.state.sessions.last)
        _ = await rehearsal.calls()
        await rehearsal.gateway.on("DELETE /v1/account/sessions/s9", .answer(status: 204))
        await rehearsal.model.perform(.end(other))
        #expect(await rehearsal.calls() == ["DELETE /v1/account/sessions/s9"] + Self.load)
        #expect(rehearsal.model.state.screen == .account)
    }

    @Test("Signing out forgets the session, also without a connection", arguments: [true, false])
    func signOut(isConnected: Bool) async throws {
        let rehearsal = await Rehearsal()
        await rehearsal.signedIn()
        if !isConnected { await rehearsal.gateway.goOffline() }
        await rehearsal.model.perform(.signOut)
        #expect(rehearsal.model.state.screen == .signIn)
        #expect(try await rehearsal.client.session() == nil)
    }

    @Test("A deletion names its day, and another sign-in can cancel it")
    func deletion() async throws {
        let rehearsal = await Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.on("DELETE /v1/account", .answer(Answer.deletion, status: 202))
        await rehearsal.model.perform(.deleteAccount)
        #expect(rehearsal.model.state.screen == .signIn)
        let message = try #require(rehearsal.model.state.message)
        #expect(message.hasPrefix("Your account will be deleted on ") && message.contains("2026"))

        await rehearsal.gateway.on("GET /v1/account", .answer(Answer.profileBeforeDeletion))
        await rehearsal.signedIn()
        #expect(rehearsal.model.state.profile?.deletion != nil)
        _ = await rehearsal.calls()
        await rehearsal.gateway.on("DELETE /v1/account/deletion", .answer(status: 204))
        await rehearsal.model.perform(.keepAccount)
        #expect(await rehearsal.calls() == ["DELETE /v1/account/deletion"] + Self.load)
        #expect(rehearsal.model.state.profile?.deletion == nil)
    }

    @Test("A deletion with an old proof asks for a sign-in, and goes on with the new session")
    func deletionAfterSignIn() async {
        let rehearsal = await Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.on(
            "DELETE /v1/account", .refused(.reauthRequired, status: 403), .answer(status: 204))
        await rehearsal.model.perform(.deleteAccount)
        #expect(rehearsal.model.state.screen == .signInAgain)
        _ = await rehearsal.calls()
        await rehearsal.signIn(.apple)
        #expect(await rehearsal.calls() == ["POST /v1/nonce", "POST /v1/sign-in", "DELETE /v1/account"])
        #expect(rehearsal.model.state.screen == .signIn)
        #expect(rehearsal.model.state.message == "Your account is deleted.")
    }

    @Test("A deletion without the second factor asks for it, and goes on with the new session")
    func deletionAfterStepUp() async {
        let rehearsal = await Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.on(
            "DELETE /v1/account", .refused(.stepUpRequired, status: 403), .answer(status: 204))
        await rehearsal.model.perform(.deleteAccount)
        #expect(rehearsal.model.state.screen == .stepUp)
        _ = await rehearsal.calls()
        await rehearsal.gateway.next(.authenticatorCode())
        await rehearsal.signIn(.submit, ["code": "123456"], stepUp: rehearsal.model.session)
        #expect(
            await rehearsal.calls() == [
                "POST /v1/session/step-up", "POST /v1/sign-in/continue", "DELETE /v1/account",
            ])
        #expect(rehearsal.model.state.message == "Your account is deleted.")
    }

    @Test("A sign-in to another account does not delete that account")
    func anotherAccount() async {
        let rehearsal = await Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.on("DELETE /v1/account", .refused(.reauthRequired, status: 403))
        await rehearsal.model.perform(.deleteAccount)
        _ = await rehearsal.calls()
        await rehearsal.gateway.next(.signedIn(as: FakeUser(id: "a2")))
        await rehearsal.signIn(.apple)
        #expect(await rehearsal.calls() == ["POST /v1/nonce", "POST /v1/sign-in"] + Self.load)
        #expect(rehearsal.model.state.screen == .account)
        #expect(rehearsal.model.state.message == "This is another account. Nothing was changed.")
    }

    @Test("A cancelled repetition keeps the account, and a later sign-in deletes nothing")
    func cancelled() async {
        let rehearsal = await Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.on("DELETE /v1/account", .refused(.reauthRequired, status: 403))
        await rehearsal.model.perform(.deleteAccount)
        rehearsal.model.cancel()
        #expect(rehearsal.model.state.screen == .account)
        #expect(rehearsal.model.state.profile != nil)
        _ = await rehearsal.calls()
        await rehearsal.signedIn()
        #expect(await rehearsal.calls() == ["POST /v1/sign-in"] + Self.load)
    }

    @Test("A new passkey may bring recovery codes to save")
    func addPasskey() async {
        let rehearsal = await Rehearsal()
        await rehearsal.signedIn()
        await rehearsal.gateway.on(
            "POST /v1/account/factors",
            .step("continue_sign_in_with_passkey_setup", ["passkey": ["challenge": "mZr"]]))
        await rehearsal.gateway.on("POST /v1/account/factors/confirm", .answer(Answer.addedPasskey))
        await rehearsal.model.perform(.addPasskey(FakeDialogues()))
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
