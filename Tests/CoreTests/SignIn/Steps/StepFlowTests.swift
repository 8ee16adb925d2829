import Cryptography
import Foundation
import Messages
import Postgres
import TestSupport
import Testing

@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// The step engine on a real database, without a front door.
@Suite("Flows of steps")
struct StepFlowTests {
    private let address = "ann@example.com"

    @Test("a mailed code signs in, and its flow ends")
    func mailedCode() async throws {
        try await TestCore.with { core in
            let account = try await core.signUp(address).account.id
            let pending = try await core.flows.begin(.code(name: address, .emailCode), core.request()).pending
            guard case .firstFactorCode(let sent, _) = pending.step else { throw Unexpected(what: "\(pending.step)") }
            #expect(sent.medium == .email && sent.destination != address && pending.expiresIn == FlowService.life)
            let code = StepResponse(.code(try #require(core.mail.code(to: address))))
            #expect(try await core.flows.answer(code, core.call(pending.flow)).signedIn.account.id == account)
            await #expect(throws: Rejection.flowExpired) {
                try await core.flows.answer(code, core.call(pending.flow))
            }
        }
    }

    @Test("wrong codes count down, and after the last one the right code is refused")
    func wrongCodes() async throws {
        try await TestCore.with { core in
            let account = try await core.signUp(address).account.id
            let pending = try await core.flows.begin(.code(name: address, .emailCode), core.request()).pending
            let wrong = StepResponse(.code(core.mail.wrongCode(to: address)))
            for left in [4, 3, 2, 1] {
                await #expect(throws: Rejection.codeWrong(triesLeft: left, account: account)) {
                    try await core.flows.answer(wrong, core.call(pending.flow))
                }
            }
            await #expect(throws: Rejection.tooManyTries) {
                try await core.flows.answer(wrong, core.call(pending.flow))
            }
            let right = StepResponse(.code(try #require(core.mail.code(to: address))))
            await #expect(throws: Rejection.tooManyTries) {
                try await core.flows.answer(right, core.call(pending.flow))
            }
        }
    }

    @Test("an unknown name gets the same step, and no code of it is right")
    func unknownName() async throws {
        try await TestCore.with { core in
            let pending = try await core.flows.begin(.code(name: address, .emailCode), core.request()).pending
            guard case .firstFactorCode = pending.step else { throw Unexpected(what: "\(pending.step)") }
            #expect(core.mail.code(to: address) == nil)
            await #expect(throws: Rejection.codeWrong(triesLeft: 4)) {
                try await core.flows.answer(StepResponse(.code("123456")), core.call(pending.flow))
            }
        }
    }

    @Test("a second factor is asked for after the password, and its secret is sealed while it is set up")
    func authenticatorApp() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(address))
            let setUp = try await core.factors.begin(.totp, session: session, caller: TestCore.caller)
            guard case .totpSetUp(let shown) = setUp.step else { throw Unexpected(what: "\(setUp.step)") }
            let secret = try Base32Text.bytes(of: shown.secret)
            let kept = try await core.database.pool.withConnection { connection in
                try #require(
                    try connection.queryOne(
                        "select state::text || encode(sealed, 'hex') from flows where kind = 'factor'")
                )
                .value(0, as: String.self)
            }
            #expect(!kept.contains(shown.secret) && !kept.contains(Hex.encode(secret)))
            let now = Int(Date().timeIntervalSince1970)
            let first = TOTP.code(secret: secret, step: now / TOTP.period - 1)
            let added = try await core.factors.confirm(
                flow: setUp.flow, response: StepResponse(.code(first)), session: session, caller: TestCore.caller)
            #expect(added.recoveryCodes?.isEmpty == false)
            let credential = Credential.password(name: address, password: TestCore.password)
            let pending = try await core.flows.begin(credential, core.request()).pending
            guard case .totpCode = pending.step else { throw Unexpected(what: "\(pending.step)") }
            let second = TOTP.code(secret: secret, step: now / TOTP.period)
            let signedIn = try await core.flows.answer(StepResponse(.code(second)), core.call(pending.flow)).signedIn
            #expect(try await core.session(signedIn).facts.acr == Proofs.multiFactor)
        }
    }

    @Test("a token that names a revision ends with its step")
    func renewedTokens() async throws {
        try await TestCore.with { core in
            let account = try await core.signUp(address).account.id
            let first = try await core.flows.begin(.name(address), core.request(renewing: true)).pending
            let choice = StepResponse(.choice("email_otp"))
            let second = try await core.flows.answer(choice, core.call(first.flow, renewing: true)).pending
            #expect(second.flow != first.flow)
            await #expect(throws: Rejection.flowExpired) {
                try await core.flows.answer(choice, core.call(first.flow, renewing: true))
            }
            let wrong = StepResponse(.code(core.mail.wrongCode(to: address)))
            await #expect(throws: Rejection.codeWrong(triesLeft: 4, account: account)) {
                try await core.flows.answer(wrong, core.call(second.flow, renewing: true))
            }
            let right = StepResponse(.code(try #require(core.mail.code(to: address))))
            _ = try await core.flows.answer(right, core.call(second.flow, renewing: true)).signedIn
        }
    }

    @Test("a token without a revision stays the same from step to step")
    func stableTokens() async throws {
        try await TestCore.with { core in
            _ = try await core.signUp(address)
            let first = try await core.flows.begin(.name(address), core.request()).pending
            let second = try await core.flows.answer(StepResponse(.choice("email_otp")), core.call(first.flow)).pending
            #expect(second.flow == first.flow)
        }
    }

    @Test("a sealed state of another flow is refused")
    func swappedState() async throws {
        try await TestCore.with { core in
            _ = try await core.signUp(address)
            let one = try await core.flows.begin(.code(name: address, .emailCode), core.request()).pending
            try await core.change("update flows set resend_after = now() where kind = 'sign_in'")
            let other = try await core.flows.begin(.code(name: address, .emailCode), core.request()).pending
            try await core.change(
                """
                update flows f set sealed = (select o.sealed from flows o where o.id <> f.id and o.kind = 'sign_in')
                 where f.kind = 'sign_in'
                """)
            for flow in [one.flow, other.flow] {
                let code = StepResponse(.code(core.mail.code(to: address) ?? ""))
                await #expect(throws: Rejection.flowExpired) { try await core.flows.answer(code, core.call(flow)) }
            }
        }
    }
}
