import Cryptography
import Foundation
import JSON
import Providers
import Testing

@testable import Sessions

@Suite("The stored form of a stepwise sign-in")
struct ProviderFlowTests {
    private static let id = UUID()
    private static let session = UUID()

    private func flow(_ accompanying: AccompanyingSession?) -> ProviderFlow {
        ProviderFlow(
            provider: "cognito", username: "ann", step: .totpCode(name: nil), state: ["session": "abc"], linkFlow: nil,
            accompanying: accompanying)
    }

    @Test(
        "the accompanying session is restored, and is never stored in clear text",
        arguments: [
            nil, .session(session), .refused(.tokenInvalid), .refused(.tokenExpired), .refused(.sessionEnded),
            .refused(.reauthRequired),
        ] as [AccompanyingSession?])
    func roundTrip(accompanying: AccompanyingSession?) throws {
        let box = SealedBox(try TestKeys.keys("a"))
        let stored = flow(accompanying).json(box, Self.id, guessing: [1])
        let read = try #require(ProviderFlow.read(stored, box, Self.id))
        #expect(read.accompanying == accompanying && read.username == "ann" && read.state == ["session": "abc"])
        #expect(!stored.text.contains(Self.session.text))
        // A server of the previous version reads only the first form.
        #expect(stored["version"]?.integer == (accompanying == nil ? 1 : 2))
    }

    @Test("a form with an incomplete session has none", arguments: [2, 3])
    func withoutItsSession(version: Int) throws {
        let box = SealedBox(try TestKeys.keys("a"))
        var stored = try #require(flow(nil).json(box, Self.id, guessing: [1]).object)
        stored["version"] = .integer(version)
        #expect(ProviderFlow.read(.object(stored), box, Self.id)?.username == nil)
    }

    @Test("a server error is not a session state")
    func otherRefusals() {
        #expect(AccompanyingSession(refusal: .databaseUnavailable(retryAfter: 1)) == nil)
        #expect(AccompanyingSession(["refused": "internal_error"]) == nil)
        #expect(AccompanyingSession(["session": "abc"]) == nil)
    }
}
