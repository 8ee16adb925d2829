import Clients
import Foundation
import Testing

@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// The level (`acr`) of the session that enrols a factor.
@Suite("The level of a session that enrols a factor")
struct EnrolmentLevelTests {
    private let address = "ann@example.com"

    @Test("a new factor raises the session, its next token says so, and another factor needs no step-up")
    func raised() async throws {
        try await TestCore.with { core in
            let signedIn = try await core.signUp(address)
            let session = try await core.session(signedIn)
            try await core.enrolMailbox("ann@example.org", session)
            let raised = try await core.session(signedIn)
            #expect(raised.facts.acr == Proofs.multiFactor && raised.facts.amr.contains("mfa"))
            let token = try await core.account.sessions.refresh(
                try signedIn.issued.refreshToken, at: .gateway, caller: TestCore.caller
            ).accessToken
            #expect(
                try await core.directory.check(PresentedToken(token), at: core.directory.now).facts.acr
                    == Proofs.multiFactor)
            try await core.enrolMailbox("ann@example.net", raised)
        }
    }

    @Test("other sessions of the account stay at their level")
    func others() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(address))
            let other = try await core.signIn(address)
            try await core.enrolMailbox("ann@example.org", session)
            let weak = try await core.session(other)
            #expect(weak.facts.acr == Proofs.singleFactor)
            await #expect(throws: Rejection.stepUpRequired) {
                try await core.enrolMailbox("ann@example.net", weak)
            }
        }
    }

    @Test("a code to the mailbox that signed in raises nothing")
    func sameThing() async throws {
        try await TestCore.with { core in
            _ = try await core.signUp(address)
            let pending = try await core.flows.begin(.code(name: address, .emailCode), core.request()).pending
            let code = StepResponse(.code(try #require(core.mail.code(to: address))))
            let signedIn = try await core.flows.answer(code, core.call(pending.flow)).signedIn
            try await core.enrolMailbox(address, try await core.session(signedIn))
            #expect(try await core.session(signedIn).facts.acr == Proofs.singleFactor)
        }
    }

    @Test("a wrong code raises nothing")
    func wrongCode() async throws {
        try await TestCore.with { core in
            let signedIn = try await core.signUp(address)
            let session = try await core.session(signedIn)
            let (mailbox, caller) = ("ann@example.org", TestCore.caller)
            let pending = try await core.factors.begin(.email(mailbox), session: session, caller: caller)
            await #expect(throws: Rejection.codeWrong(triesLeft: 4)) {
                try await core.factors.confirm(
                    flow: pending.flow, response: StepResponse(.code(core.mail.wrongCode(to: mailbox))),
                    session: session, caller: caller)
            }
            #expect(try await core.session(signedIn).facts.acr == Proofs.singleFactor)
        }
    }
}

extension TestCore {
    fileprivate func enrolMailbox(_ address: String, _ session: SessionSnapshot) async throws {
        let pending = try await factors.begin(.email(address), session: session, caller: Self.caller)
        let code = StepResponse(.code(try #require(mail.code(to: address))))
        _ = try await factors.confirm(flow: pending.flow, response: code, session: session, caller: Self.caller)
    }
}
