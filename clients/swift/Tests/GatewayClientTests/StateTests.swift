import Foundation
import Testing

@testable import GatewayClient

@Suite("The sequence of states")
struct StateTests {
    private func name(_ state: SessionState?) -> String {
        switch state {
        case .signedOut: "signed out"
        case .signedIn: "signed in"
        case .ended(let end): "ended: \(end.reason)"
        case .consentWithdrawn(let provider): "consent withdrawn at \(provider)"
        case nil: "over"
        }
    }

    @Test("It begins with the present, then tells each change")
    func changes() async throws {
        let rehearsal = try Rehearsal()
        var states = rehearsal.client.states.makeAsyncIterator()
        #expect(name(await states.next()) == "signed out")
        let first = try await rehearsal.signedIn()
        #expect(name(await states.next()) == "signed in")
        await rehearsal.transport.add(.answer(204, nil))
        try await first.signOut()
        #expect(name(await states.next()) == "signed out")
        let second = try await rehearsal.signedIn()
        #expect(name(await states.next()) == "signed in")
        await rehearsal.transport.add(.answer(401, Sample.problem("session_ended", 401)))
        await #expect(throws: GatewayError.self) { try await second.profile() }
        #expect(name(await states.next()) == "ended: endedElsewhere")
    }

    @Test("That of a session ends with it")
    func ofOneSession() async throws {
        let rehearsal = try Rehearsal()
        let session = try await rehearsal.signedIn()
        var states = session.states.makeAsyncIterator()
        #expect(name(await states.next()) == "signed in")
        await rehearsal.transport.add(.answer(204, nil))
        try await session.signOut()
        #expect(name(await states.next()) == "signed out")
        #expect(await states.next() == nil)
        var late = session.states.makeAsyncIterator()
        #expect(name(await late.next()) == "signed out")
        #expect(await late.next() == nil)
    }

    @Test("A consent that Apple calls withdrawn is the reason of an end at the gateway")
    func withdrawnAtGateway() async throws {
        let rehearsal = try Rehearsal(consent: Withdrawn())
        let session = try await rehearsal.signedIn(identity: Sample.appleIdentity)
        var states = rehearsal.client.states.makeAsyncIterator()
        #expect(name(await states.next()) == "signed in")
        rehearsal.clock.advance(700)
        await rehearsal.transport.add(.answer(401, Sample.problem("session_ended", 401)))
        await #expect(throws: GatewayError.self) { try await session.accessToken() }
        #expect(name(await states.next()) == "consent withdrawn at apple")
    }

    @Test("A consent that the app finds withdrawn ends the session here and at the gateway")
    func withdrawnHere() async throws {
        let rehearsal = try Rehearsal(consent: Withdrawn())
        let session = try await rehearsal.signedIn(identity: Sample.appleIdentity)
        await rehearsal.transport.add(.answer(204, nil))
        try await session.checkConsent()
        #expect(await rehearsal.transport.received.last?.path == "/v1/sign-out")
        #expect(try await rehearsal.client.session() == nil)
        var states = session.states.makeAsyncIterator()
        #expect(name(await states.next()) == "consent withdrawn at apple")
    }

    @Test("A password has no consent to withdraw")
    func password() async throws {
        let rehearsal = try Rehearsal(consent: Withdrawn())
        let session = try await rehearsal.signedIn()
        try await session.checkConsent()
        #expect(try await rehearsal.client.session() != nil)
    }
}

struct Withdrawn: ConsentCheck {
    func isWithdrawn(_ identity: SignedInIdentity) async -> Bool { identity.provider == "apple" }
}
