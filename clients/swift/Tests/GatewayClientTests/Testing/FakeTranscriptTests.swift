import Foundation
import GatewayClientTesting
import Testing

@testable import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The fake gateway answers each request of `Tests/Transcripts` as the server did, so that it can't drift from it.
@Suite("The fake gateway and the transcripts")
struct FakeTranscriptTests {
    /// A gateway with the script of a conversation.
    private static func gateway(for name: String) async -> FakeGateway {
        let gateway = FakeGateway()
        switch name {
        case "change-password": await gateway.on("POST /v1/password/change", .invalidCredentials())
        case "declined-link":
            let user = FakeUser(email: nil, displayName: "Demo Person")
            await gateway.next(.linkAccount(), .signedIn(as: user, isNewAccount: true))
        case "email-code": await gateway.next(.emailCode(), .resendTooSoon())
        case "ended-session": await gateway.on("POST /v1/token/refresh", .sessionEnded(reason: "signed_out"))
        case "first-factor-selection": await gateway.next(.chooseFirstFactor(), .password())
        case "forgotten-password": await gateway.next(.resetPassword(), .wrongCode(triesLeft: 4))
        case "link-account": await gateway.next(.linkAccount())
        case "lost-refresh": await gateway.on("POST /v1/token/refresh", .answerLost())
        case "provider-token":
            await gateway.next(.signedIn(as: FakeUser(displayName: "Ann Example"), isNewAccount: true))
        case "second-factor": await gateway.next(.authenticatorCode(), .wrongCode(triesLeft: 4))
        case "sign-up": await gateway.next(.success(), .wrongCode(triesLeft: 4))
        case "throttled": await gateway.next(.throttled(retryAfter: 60))
        case "wrong-password": await gateway.next(.invalidCredentials())
        default: break
        }
        return gateway
    }

    @Test("It answers as the server did", arguments: TranscriptTests.files)
    func answers(_ file: URL) async throws {
        let transcript = try JSONDecoder().decode(Transcript.self, from: try Data(contentsOf: file))
        let gateway = await Self.gateway(for: file.deletingPathExtension().lastPathComponent)
        let comparison = Comparison(gateway)
        var replay = try Replay(clientID: transcript.clientID, transport: comparison)
        for call in transcript.calls {
            await comparison.expect(call.exchanges)
            let result = try await replay.perform(call)
            #expect(Replay.plain(result) == Replay.plain(call.result), "\(call.call)")
            #expect(await comparison.isDone, "\(call.call)")
        }
    }
}

/// Passes requests to the fake gateway, and compares its answers with those of a transcript.
private actor Comparison: Transport {
    private let gateway: FakeGateway
    private var expected: [Transcript.Exchange] = []

    init(_ gateway: FakeGateway) { self.gateway = gateway }

    func expect(_ exchanges: [Transcript.Exchange]) { expected = exchanges }

    var isDone: Bool { expected.isEmpty }

    func send(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let exchange = try #require(expected.first, "one request too many")
        expected.removeFirst()
        guard let recorded = exchange.response else {
            let error = await #expect(throws: URLError.self) { try await gateway.send(request) }
            throw try #require(error)
        }
        let (data, response) = try await gateway.send(request)
        #expect(response.statusCode == recorded.status)
        #expect(Self.headers(response) == recorded.headers)
        let body = data.isEmpty ? JSONValue?.none : try JSONDecoder().decode(JSONValue.self, from: data)
        #expect(body == recorded.body)
        return (data, response)
    }

    private static func headers(_ response: HTTPURLResponse) -> [String: String] {
        let fields = response.allHeaderFields.compactMap { name, value in
            (name as? String).flatMap { name in (value as? String).map { (name.lowercased(), $0) } }
        }
        return Dictionary(fields) { $1 }
    }
}
