import Clients
import Foundation
import Testing

@testable import SignIn
@testable import Vocabulary

@Suite("Continuation tokens")
struct ContinuationTokenTests {
    private static let start = Date(timeIntervalSince1970: 1_800_000_000)
    private let continuation = Continuation(.signIn, client: "app", username: "ann@example.com").at("fl_1")

    private func tokens(after seconds: Int = 0) throws -> ContinuationTokens {
        let now = Self.start.addingTimeInterval(TimeInterval(seconds))
        return ContinuationTokens(keys: try TestKeys.keys("a")) { now }
    }

    private func client(_ id: String) -> Client {
        Client(
            id: id, name: "App", secret: nil, origins: [], redirectURIs: [], providers: [],
            linkingPolicy: LinkingPolicy(bothVerified: .ask), accessTokenLife: 600, refreshIdle: 600,
            refreshMaximum: 600)
    }

    @Test("a token opens for its own client alone")
    func client() throws {
        let text = try tokens().text(continuation)
        #expect(try tokens().open(text, of: client("app")).flow == "fl_1")
        #expect(throws: Rejection.tokenMalformed) { try tokens().open(text, of: client("other")) }
    }

    @Test("a token lives for its time, and only unchanged")
    func life() throws {
        let text = try tokens().text(continuation)
        #expect(try tokens(after: ContinuationTokens.life - 1).open(text).username == "ann@example.com")
        #expect(throws: Rejection.flowExpired) { try tokens(after: ContinuationTokens.life).open(text) }
        #expect(throws: Rejection.tokenMalformed) { try tokens().open("A" + text) }
    }

    @Test("a code is no token, a token no code, and another client's code none")
    func code() throws {
        let code = try tokens().code(continuation)
        #expect(try tokens().open(code: code, of: client("app")).flow == "fl_1")
        #expect(throws: Rejection.handoverCodeInvalid) { try tokens().open(code: code, of: client("other")) }
        #expect(throws: Rejection.tokenMalformed) { try tokens().open(code) }
        let text = try tokens().text(continuation)
        #expect(throws: Rejection.handoverCodeInvalid) { try tokens().open(code: text, of: client("app")) }
    }
}
