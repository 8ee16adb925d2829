import Cryptography
import Foundation
import JSON
import Outbound
import Providers
import Synchronization
import TestSupport
import Testing

/// An external tenant with a script: each call takes the next line, and must be its call.
final class ScriptedTenant: HTTPTransport {
    struct Call: Sendable {
        let path: String
        let form: [String: String]
    }

    typealias Reply = @Sendable (Call) throws -> Result<HTTPResponse, TransferError>

    private struct State {
        var script: [(path: String, reply: Reply)] = []
        var calls: [Call] = []
    }

    static let authority = "https://ducks.ciamlogin.com/ducks.onmicrosoft.com/"
    static let byGUID = "https://ducks.ciamlogin.com/\(ProviderConformance.externalTenant)/"
    private let keys: String
    private let state = Mutex(State())

    init() throws {
        keys = try TestKeys.usualSet
    }

    var calls: [Call] { state.withLock { $0.calls } }

    func on(_ path: String, _ reply: @escaping Reply) {
        state.withLock { $0.script.append((path, reply)) }
    }

    func on(_ path: String, _ answer: JSON, status: Int = 200) {
        on(path) { _ in .success(.json(answer.text, status: status)) }
    }

    /// Adds a call with these required form members and this answer.
    func on(_ path: String, _ answer: JSON, expecting members: [String: String]) {
        on(path) { call in
            for (name, value) in members { #expect(call.form[name] == value, "\(name) of \(path)") }
            return .success(.json(answer.text))
        }
    }

    func refuse(
        _ path: String, _ error: String, _ suberror: String? = nil, _ codes: [Int] = [], _ more: JSONObject = [:]
    ) {
        on(path, Self.refusal(error, suberror, codes, more), status: 400)
    }

    static func refusal(
        _ error: String, _ suberror: String? = nil, _ codes: [Int] = [], _ more: JSONObject = [:]
    ) -> JSON {
        var body: JSONObject = [
            "error": .string(error), "error_codes": .array(codes.map(JSON.integer)),
            "error_description": "AADSTS0: username parameter is empty or not valid", "trace_id": "t",
        ]
        body["suberror"] = suberror.map(JSON.string)
        for member in more.members { body[member.name] = member.value }
        return .object(body)
    }

    func send(_ request: HTTPRequest) async throws(TransferError) -> HTTPResponse {
        let about = ProviderConformance.microsoftExternal
        if request.method == .get {
            guard let discovery = about.discovery, request.url == discovery.url else {
                #expect(request.url == about.keysURL)
                return .json(keys)
            }
            return .json(discovery.text)
        }
        let call = Self.call(request)
        let next = state.withLock { state in
            state.calls.append(call)
            return state.script.isEmpty ? nil : state.script.removeFirst()
        }
        guard let next, next.path == call.path else {
            Issue.record("\(call.path) was called in place of \(next?.path ?? "nothing")")
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
        let left = state.withLock { $0.script.map(\.path) }
        #expect(left.isEmpty, "not called", sourceLocation: sourceLocation)
    }

    private static func call(_ request: HTTPRequest) -> Call {
        let base = [authority, byGUID].first { request.url.hasPrefix($0) } ?? ""
        #expect(!base.isEmpty, "\(request.url)")
        let pairs = String(decoding: request.body ?? [], as: UTF8.self).split(separator: "&").map { pair in
            let halves = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = String(halves.last ?? "").replacing("+", with: " ").removingPercentEncoding ?? ""
            return (String(halves.first ?? ""), value)
        }
        let form = Dictionary(pairs, uniquingKeysWith: { first, _ in first })
        #expect(form["client_id"] == MicrosoftStage.client && form.count == pairs.count)
        let path = String(request.url.dropFirst(base.count))
        return Call(path: base == byGUID ? "GUID " + path : path, form: form)
    }
}

/// The adapter for Microsoft with a scripted external tenant.
struct MicrosoftStage {
    static let client = "99999999-2222-3333-4444-555555555555"
    static let name = "ann@example.com"
    static let password = Secret("Corr3ct-Horse!")
    static let initiate = "oauth2/v2.0/initiate"
    static let challenge = "oauth2/v2.0/challenge"
    static let introspect = "oauth2/v2.0/introspect"
    static let token = "oauth2/v2.0/token"

    let tenant: ScriptedTenant
    let provider: MicrosoftProvider
    let pauses = Pauses()
    let clock = TestClock()
    let log = LogLines()
    let context = StepwiseContext(now: TestClock.now)

    /// The waiting times.
    final class Pauses: Sendable {
        private let all = Mutex<[Duration]>([])
        var list: [Duration] { all.withLock { $0 } }
        func add(_ pause: Duration) { all.withLock { $0.append(pause) } }
    }

    /// - Parameter pace: wide enough that only tests about waiting wait.
    init(
        signUp: Bool = false, authority: String = "https://ducks.ciamlogin.com/ducks.onmicrosoft.com",
        webTenant: String = ProviderConformance.externalTenant, pace: RequestPace = RequestPace(perSecond: 1, burst: 50)
    ) throws {
        let (tenant, clock, pauses) = (try ScriptedTenant(), clock, pauses)
        self.tenant = tenant
        var configuration = MicrosoftProvider.Configuration(
            clientIDs: [ProviderConformance.microsoftExternal.audience], tenantIDs: [ProviderConformance.tenant])
        configuration.externalTenantIDs = [ProviderConformance.externalTenant]
        configuration.requiresNonce = true
        configuration.webTenantID = webTenant
        var native = MicrosoftProvider.Native(clientID: Self.client, authority: authority)
        native.allowsSignUp = signUp
        configuration.native = native
        let upstream = Upstream(
            transport: tenant, health: ProviderHealth(provider: .microsoft), timeout: .seconds(5), logger: log.logger,
            clock: { clock.now })
        provider = try MicrosoftProvider(configuration, upstream: upstream, pace: pace) { pause in
            pauses.add(pause)
            clock.advance(by: pause)
        }
    }

    func begin(
        _ name: String = Self.name, _ password: Secret? = Self.password, mustTakePassword: Bool = false
    ) async -> Outcome {
        let context = StepwiseContext(now: TestClock.now, mustTakePassword: mustTakePassword)
        return await Outcome { () async throws(ProviderError) in
            try await provider.begin(username: name, password: password, context: context)
        }
    }

    /// - Parameter seconds: wall-clock time since the beginning.
    func answer(_ response: StepwiseResponse, to outcome: Outcome, after seconds: Int = 0) async -> Outcome {
        let context = StepwiseContext(now: TestClock.now.addingTimeInterval(Double(seconds)))
        return await Outcome { () async throws(ProviderError) in
            try await provider.answer(response, to: outcome.state ?? .null, context: context)
        }
    }

    func resend(_ outcome: Outcome) async -> Outcome {
        await Outcome { () async throws(ProviderError) in
            try await provider.resend(outcome.state ?? .null, context: context)
        }
    }

    /// Begins a sign-in and requires a step for a password or a code.
    func begun(_ type: String = "password") async -> Outcome {
        tenant.on(Self.initiate, ["continuation_token": "ct1"])
        tenant.on(
            Self.challenge,
            type == "oob" ? Self.code("ct2") : ["continuation_token": "ct2", "challenge_type": "password"])
        return await begin(Self.name, nil)
    }

    /// Makes the tenant demand a second factor from these methods.
    func demanded(_ word: String, _ methods: [JSON]) async -> Outcome {
        let asked = await begun()
        tenant.refuse(Self.token, "invalid_grant", word, [50076], ["continuation_token": "ct3"])
        let path = word == "mfa_required" ? Self.introspect : "register/v1.0/introspect"
        tenant.on(
            path, ["continuation_token": "ct4", "methods": .array(methods)], expecting: ["continuation_token": "ct3"])
        return await answer(.password(Self.password), to: asked)
    }

    static func method(_ id: String, _ channel: String, _ hint: String? = "a***@e***") -> JSON {
        var method: JSONObject = [
            "id": .string(id), "challenge_type": "oob", "challenge_channel": .string(channel),
        ]
        method["login_hint"] = hint.map(JSON.string)
        return .object(method)
    }

    static func code(_ token: String, _ channel: String = "email") -> JSON {
        [
            "continuation_token": .string(token), "challenge_type": "oob", "binding_method": "prompt",
            "challenge_channel": .string(channel), "challenge_target_label": "a***@e***", "code_length": 8,
            "interval": 300,
        ]
    }

    static let sent = CodeDelivery(medium: .email, destination: "a***@e***", codeLength: 8, resendAfter: 300)

    /// The tenant's tokens, with changes to the claims of the ID token.
    static func tokens(_ claims: JSONObject = [:]) throws -> JSON {
        let usual = TokenMint.merged(
            ProviderConformance.microsoftExternal.claims, ["aud": .string(client)])
        return [
            "token_type": "Bearer", "expires_in": 3_600, "access_token": "EwB", "refresh_token": "1.A",
            "id_token": .string(try TokenMint.token(usual, replacing: claims)),
        ]
    }
}
