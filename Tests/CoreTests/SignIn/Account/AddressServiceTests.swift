import Foundation
import Sessions
import Testing

@testable import SignIn
@testable import Vocabulary

@Suite("Addresses of an account, without a front door")
struct AddressServiceTests {
    private let ann = "ann@example.com"
    private let other = "ann@example.org"

    @Test("a new address counts after its code, and signs in from then on")
    func proved() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(ann))
            let service = core.account.addresses
            let pending = try await service.begin(other, session: session, caller: TestCore.caller)
            #expect(try await service.addresses(of: session).map(\.text) == [ann])
            await #expect(throws: Rejection.codeWrong(triesLeft: 4)) {
                try await service.confirm(
                    flow: pending.flow, response: StepResponse(.code(core.mail.wrongCode(to: other))), session: session,
                    caller: TestCore.caller)
            }
            let code = try #require(core.mail.code(to: other))
            try await service.confirm(
                flow: pending.flow, response: StepResponse(.code(code)), session: session, caller: TestCore.caller)
            let addresses = try await service.addresses(of: session)
            #expect(addresses.map(\.text) == [ann, other] && addresses.map(\.isMain) == [true, false])
            #expect(try await core.signIn(other).account.id == session.facts.account)
        }
    }

    @Test("a code confirms no address of another account")
    func foreign() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(ann))
            let stranger = try await core.session(try await core.signUp("eve@example.com"))
            let pending = try await core.account.addresses.begin(other, session: session, caller: TestCore.caller)
            let code = try #require(core.mail.code(to: other))
            await #expect(throws: Rejection.flowExpired) {
                try await core.account.addresses.confirm(
                    flow: pending.flow, response: StepResponse(.code(code)), session: stranger, caller: TestCore.caller)
            }
            #expect(try await core.account.addresses.addresses(of: stranger).map(\.text) == ["eve@example.com"])
        }
    }

    @Test("the last sign-in method stays, and another account's address is not found")
    func removal() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(ann))
            _ = try await core.signUp("eve@example.com")
            let service = core.account.addresses
            await #expect(throws: Rejection.lastCredential) {
                try await service.remove(ann, session: session, caller: TestCore.caller)
            }
            await #expect(throws: Rejection.notFound) {
                try await service.remove("eve@example.com", session: session, caller: TestCore.caller)
            }
            await #expect(throws: Rejection.notFound) {
                try await service.prefer("eve@example.com", session: session, caller: TestCore.caller)
            }
            #expect(try await service.addresses(of: session).map(\.text) == [ann])
        }
    }

    @Test("text that is no address is refused at its field")
    func malformed() async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(ann))
            await #expect(throws: Rejection.invalidField(.address, .notAnEmailAddress)) {
                try await core.account.addresses.begin("ann.example.com", session: session, caller: TestCore.caller)
            }
        }
    }

    @Test(
        "3-R6: an invalid number is refused as a number, and an address as an address",
        arguments: [
            ("+49 0151 23456789", .notAPhoneNumber), (" ＋4915", .notAPhoneNumber), ("+", .notAPhoneNumber),
            ("+tag@", .notAnEmailAddress), ("0151 23456789", .notAnEmailAddress), ("", .notAnEmailAddress),
        ] as [(String, FieldFault)])
    func misspelt(typed: String, fault: FieldFault) async throws {
        try await TestCore.with { core in
            let session = try await core.session(try await core.signUp(ann))
            await #expect(throws: Rejection.invalidField(.address, fault)) {
                try await core.account.addresses.begin(typed, session: session, caller: TestCore.caller)
            }
        }
    }
}
