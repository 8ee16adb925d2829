import Cryptography
import FoundationEssentials
import JSON
import Providers
import TestSupport
import Testing

/// The adapter at a pool of moto, an independent implementation.
///
/// moto lacks these features, so they are not tested here:
/// - verification of password proofs (`moto_pool.py` verifies them with Python's numbers),
/// - `USER_AUTH` and its challenges,
/// - codes by SMS and mail as factors,
/// - a required password reset, which has no effect there,
/// - the code of a sign-up, which may be any,
/// - revocation, which it answers with 500.
@Suite("Stepwise sign-in at moto's pool", .serialized)
struct CognitoMotoTests {
    private struct Person {
        let provider: CognitoProvider

        init(_ name: String, _ flow: CognitoProvider.AuthFlow) async throws {
            let moto = try await MotoPool.shared
            let pool = try moto.pool(name)
            var configuration = CognitoProvider.Configuration(
                region: "us-east-1", userPoolID: pool.id, clientIDs: [pool.client])
            configuration.authFlow = flow
            configuration.endpoint = moto.endpoint
            configuration.clientSecret = pool.secret.map { Secret($0) }
            let upstream = Upstream(
                transport: LocalClient(), health: ProviderHealth(provider: .cognito), timeout: .seconds(60))
            provider = try CognitoProvider(configuration, upstream: upstream)
        }

        func begin(_ name: String, _ password: String) async -> Outcome {
            await Outcome { () async throws(ProviderError) in
                try await provider.begin(
                    username: name, password: Secret(password), context: StepwiseContext(now: Date()))
            }
        }

        func answer(_ response: StepwiseResponse, to outcome: Outcome) async throws -> Outcome {
            let state = try #require(outcome.state)
            return await Outcome { () async throws(ProviderError) in
                try await provider.answer(response, to: state, context: StepwiseContext(now: Date()))
            }
        }
    }

    @Test(
        "a sent or proved password signs in, with or without a client secret",
        arguments: [CognitoProvider.AuthFlow.password, .srp], ["public", "secret"])
    func password(flow: CognitoProvider.AuthFlow, pool: String) async throws {
        let person = try await Person(pool, flow)
        let outcome = await person.begin("ann", "Corr3ct-Horse!")
        let identity = try #require(outcome.identity, "\(outcome.result)")
        #expect(identity.realm == (try await MotoPool.shared.pool(pool).id))
        #expect(identity.subject.utf8.count == 36)
        #expect(await person.begin("ann", "Corr3ct-Horse?").end == .credentialsWrong)
        #expect(await person.begin("nobody", "Corr3ct-Horse!").end == .credentialsWrong)
    }

    @Test(
        "a temporary password is replaced",
        arguments: [(CognitoProvider.AuthFlow.password, "public"), (.srp, "secret")])
    func newPassword(row: (flow: CognitoProvider.AuthFlow, pool: String)) async throws {
        let person = try await Person(row.pool, row.flow)
        let asked = await person.begin("new", "Temp-1234")
        #expect(asked.step == .newPassword(requiredAttributes: []))
        let weak = try await person.answer(.newPassword(Secret("short"), attributes: [:]), to: asked)
        guard case .passwordRejected? = weak.refusal else {
            Issue.record("\(weak.result)")
            return
        }
        #expect(try await person.answer(.newPassword(Secret("N3w-Horse!"), attributes: [:]), to: weak).identity != nil)
        #expect(await person.begin("new", "N3w-Horse!").identity != nil)
        #expect(await person.begin("new", "Temp-1234").end == .credentialsWrong)
    }

    @Test("a sign-in demands the code of an authenticator app")
    func authenticatorApp() async throws {
        let person = try await Person("public", .password)
        let asked = await person.begin("app", "Corr3ct-Horse!")
        #expect(asked.step == .totpCode(name: nil))
        let moto = try await MotoPool.shared
        let code = try await moto.code(of: moto.appSecret)
        let wrong = try await person.answer(.code(code == "000000" ? "000001" : "000000"), to: asked)
        #expect(wrong.refusal == .codeWrong)
        let right = try await person.answer(.code(try await moto.code(of: moto.appSecret)), to: wrong)
        #expect(right.identity != nil, "\(right.result)")
    }

    @Test("a pool that demands a second factor sets up an authenticator app")
    func setUp() async throws {
        let person = try await Person("demanding", .password)
        let asked = await person.begin("new", "Temp-1234")
        let setUp = try await person.answer(.newPassword(Secret("N3w-Horse!"), attributes: [:]), to: asked)
        guard case .totpSetup(let secret, "new")? = setUp.step else {
            Issue.record("\(setUp.result)")
            return
        }
        let code = try await MotoPool.shared.code(of: secret)
        let done = try await person.answer(.code(code), to: setUp)
        #expect(done.identity != nil, "\(done.result)")
    }

    @Test("a sign-up is confirmed, and then signs in")
    func unconfirmed() async throws {
        let person = try await Person("public", .password)
        let asked = await person.begin("unconfirmed", "Corr3ct-Horse!")
        #expect(asked.step == .confirmSignUp(nil))
        let confirmed = try await person.answer(.code("123456"), to: asked)
        #expect(confirmed.step == .password)
        #expect(try await person.answer(.password(Secret("Corr3ct-Horse!")), to: confirmed).identity != nil)
    }
}
