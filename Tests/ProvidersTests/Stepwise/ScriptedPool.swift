import Cryptography
import Foundation
import JSON
import Outbound
import Providers
import Synchronization
import TestSupport
import Testing

/// A user pool with a script: each call takes the next line, and must be its operation.
final class ScriptedPool: HTTPTransport {
    struct Call: Sendable {
        let operation: String
        let members: JSON
        let headers: [String: String]

        /// A value of the parameters of `InitiateAuth`, or of the responses to a challenge.
        func parameter(_ name: String) -> String? {
            (members["AuthParameters"] ?? members["ChallengeResponses"])?[name]?.string
        }
    }

    typealias Reply = @Sendable (Call) throws -> Result<HTTPResponse, TransferError>

    private struct State {
        var script: [(operation: String, reply: Reply)] = []
        var calls: [Call] = []
    }

    static let url = "https://cognito-idp.us-east-1.amazonaws.com/"
    private let keys: String
    private let state = Mutex(State())

    init() throws {
        keys = try TestKeys.usualSet
    }

    var calls: [Call] { state.withLock { $0.calls } }
    var operations: [String] { calls.map(\.operation) }

    func on(_ operation: String, _ reply: @escaping Reply) {
        state.withLock { $0.script.append((operation, reply)) }
    }

    func on(_ operation: String, _ answer: JSON) {
        on(operation) { _ in .success(.pool(answer)) }
    }

    func refuse(_ operation: String, _ name: String, _ text: String) {
        on(operation) { _ in .success(.exception(name, text)) }
    }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        if request.method == .get {
            #expect(request.url == ProviderConformance.cognito.keysURL)
            return .json(keys)
        }
        #expect(request.url == Self.url)
        #expect(request.deadline > .zero && request.deadline <= .seconds(5))
        let call = Self.call(request)
        let next = state.withLock { state in
            state.calls.append(call)
            return state.script.isEmpty ? nil : state.script.removeFirst()
        }
        guard let next, next.operation == call.operation else {
            Issue.record("\(call.operation) was called in place of \(next?.operation ?? "nothing")")
            throw .connectFailed
        }
        do {
            return try next.reply(call).get()
        } catch let error as TransferError {
            throw error
        } catch {
            Issue.record(error)
            throw .connectFailed
        }
    }

    func expectScriptDone(sourceLocation: SourceLocation = #_sourceLocation) {
        let left = state.withLock { $0.script.map(\.operation) }
        #expect(left.isEmpty, "not called", sourceLocation: sourceLocation)
    }

    private static func call(_ request: HTTPRequest) -> Call {
        let headers = Dictionary(
            request.headers.map { ($0.name.lowercased(), $0.value) }, uniquingKeysWith: { first, _ in first })
        #expect(headers["content-type"] == "application/x-amz-json-1.1")
        #expect(headers["authorization"] == nil)
        let parts = (headers["x-amz-target"] ?? "").split(separator: ".")
        #expect(parts.first == "AWSCognitoIdentityProviderService")
        let members = (try? JSON(parsing: request.body ?? [])) ?? .null
        return Call(operation: parts.last.map(String.init) ?? "", members: members, headers: headers)
    }
}

extension HTTPResponse {
    /// An answer of the user-pool API with its media type.
    static func pool(_ answer: JSON, status: Int = 200, type: String = "application/x-amz-json-1.1") -> HTTPResponse {
        HTTPResponse(status: status, headers: [("Content-Type", type)], body: answer.bytes())
    }

    static func exception(_ name: String, _ text: String) -> HTTPResponse {
        .pool(["__type": .string(name + "Exception"), "message": .string(text)], status: 400)
    }
}

/// A Cognito adapter with a scripted pool.
struct PoolStage {
    static let client = "client1"
    static let user = "34c84488-e0e1-70ae-d2ee-991ad1a898c8"
    static let session = "a session of more than twenty characters"
    static let name = "ann@example.com"
    static let password = Secret("Corr3ct-Horse!")

    let pool: ScriptedPool
    let clock = TestClock()
    let provider: any StepwiseSignIn
    let context: StepwiseContext

    init(
        _ flow: CognitoProvider.AuthFlow = .password, callerAddress: String? = nil,
        adjust: (inout CognitoProvider.Configuration) -> Void = { _ in }
    ) throws {
        let (pool, clock) = (try ScriptedPool(), clock)
        self.pool = pool
        var configuration = CognitoProvider.Configuration(
            region: "us-east-1", userPoolID: "us-east-1_Example01", clientIDs: [Self.client, "client2"])
        configuration.authFlow = flow
        configuration.trustsEmail = true
        adjust(&configuration)
        let upstream = Upstream(
            transport: pool, health: ProviderHealth(provider: .cognito), timeout: .seconds(5), clock: { clock.now })
        provider = try CognitoProvider(configuration, upstream: upstream)
        context = StepwiseContext(now: TestClock.now, callerAddress: callerAddress)
    }

    func begin(_ name: String = Self.name, _ password: Secret? = Self.password) async -> Outcome {
        await Outcome { () async throws(ProviderError) in
            try await provider.begin(username: name, password: password, context: context)
        }
    }

    func answer(_ response: StepwiseResponse, to state: JSON) async -> Outcome {
        await Outcome { () async throws(ProviderError) in
            try await provider.answer(response, to: state, context: context)
        }
    }

    func resend(_ state: JSON) async -> Outcome {
        await Outcome { () async throws(ProviderError) in try await provider.resend(state, context: context) }
    }

    /// Begins a sign-in and requires a challenge.
    func challenged(
        _ name: String, _ parameters: JSONObject = [:], available: [String] = []
    ) async throws -> (step: ProviderStep, state: JSON) {
        pool.on("InitiateAuth", Self.challenge(name, parameters, available: available))
        let outcome = await begin()
        return (try #require(outcome.step), try #require(outcome.state))
    }

    static func challenge(
        _ name: String, _ parameters: JSONObject = [:], session: String = Self.session, available: [String] = []
    ) -> JSON {
        var answer: JSONObject = [
            "ChallengeName": .string(name), "Session": .string(session), "ChallengeParameters": .object(parameters),
        ]
        if !available.isEmpty { answer["AvailableChallenges"] = .array(available.map(JSON.string)) }
        return .object(answer)
    }

    /// The pool's tokens, with changes to the claims of the ID token.
    static func tokens(_ claims: JSONObject = [:]) throws -> JSON {
        let token = try TokenMint.token(ProviderConformance.cognito.claims, replacing: claims)
        return [
            "AuthenticationResult": [
                "IdToken": .string(token), "AccessToken": "a.b.c", "RefreshToken": "refresh-1", "ExpiresIn": 3_600,
                "TokenType": "Bearer",
            ], "ChallengeParameters": [:],
        ]
    }

    /// Requires the revocation of the refresh token, which could change the user.
    func expectRevocation() {
        pool.on("RevokeToken") { call in
            #expect(call.members["Token"]?.string == "refresh-1")
            #expect(call.members["ClientId"]?.string == Self.client)
            return .success(.pool([:]))
        }
    }
}

/// The outcome of a call, in a form for tables.
struct Outcome: Sendable {
    let result: Result<StepwiseAnswer, ProviderError>

    init(_ call: () async throws(ProviderError) -> StepwiseAnswer) async {
        do {
            result = .success(try await call())
        } catch {
            result = .failure(error)
        }
    }

    var step: ProviderStep? {
        guard case .success(.step(let step, _, _)) = result else { return nil }
        return step
    }

    var expiresIn: Int? {
        guard case .success(.step(_, _, let seconds)) = result else { return nil }
        return seconds
    }

    /// The state of a step, or of one that remains after a refusal.
    var state: JSON? {
        switch result {
        case .success(.step(_, let state, _)), .success(.again(_, let state)): state
        default: nil
        }
    }

    var identity: ExternalIdentity? {
        guard case .success(.verified(let identity)) = result else { return nil }
        return identity
    }

    var refusal: StepRefusal? {
        guard case .success(.again(let refusal, _)) = result else { return nil }
        return refusal
    }

    var end: StepwiseEnd? {
        guard case .success(.ended(let end)) = result else { return nil }
        return end
    }

    var error: ProviderError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }
}
