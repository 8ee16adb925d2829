import Foundation
import Testing

@testable import Accounts
@testable import Sessions
@testable import SignIn

/// Every combination of enrolled factors, proofs and demands.
@Suite("The course of a sign-in, in every combination")
struct SignInCourseTests {
    /// One walk per set of factors, so that they run in parallel.
    @Test("a due step is never skipped, and no proof counts twice", arguments: Enrolled.every)
    func everyCombination(_ enrolled: Enrolled) {
        var broken: [String] = []
        var seen = 0
        for situation in Situation.every(enrolled) {
            seen += 1
            broken += situation.brokenRules().map { "\($0): \(situation)" }
        }
        #expect(seen == 4 * 16 * ProvedThing.sets.count)
        #expect(broken.isEmpty, "\(broken.count) broken, first \(broken.first ?? "")")
    }

    @Test("each answer of the machine is reached")
    func everyAnswerIsReached() {
        var kinds: Set<String> = []
        for enrolled in Enrolled.every {
            for situation in Situation.every(enrolled) { kinds.insert(situation.next.kind) }
        }
        #expect(kinds == ["signedIn", "secondFactor", "setUp", "newPassword", "noSecondFactorLeft"])
    }

    @Test("a password set through a mailbox or number is no second factor with it, but is with another")
    func passwordSetThrough() {
        var factors = AccountFactors()
        factors.hasPassword = true
        let course = { SignInCourse(factors: $0, isDemandedByClient: true, isRemembered: false) }
        for thing in [ProvedThing.ownMailbox, .phone, .provider] {
            let proofs = Proofs([thing.proof])
            #expect(course(factors).next(after: proofs) == .secondFactor([.password]))
            var reset = factors
            reset.passwordSetThrough = thing.proof.thing
            #expect(course(reset).next(after: proofs) == .setUp([.totp, .email]))
            #expect(course(reset).next(after: Proofs([ProvedThing.otherMailbox.proof])) == .secondFactor([.password]))
        }
    }

    @Test("D1: a remembered device replaces a second factor at a sign-in, but not when a password is chosen")
    func rememberedDevice() {
        var factors = AccountFactors()
        (factors.isProtected, factors.hasPassword) = (true, true)
        factors.factors = [.test(.totp)]
        func kind(_ state: AccountFactors.PasswordState, _ proof: Proof, chooses: Bool) -> String {
            factors.passwordState = state
            return SignInCourse(factors: factors, isDemandedByClient: false, isRemembered: true)
                .next(after: Proofs([proof]), choosesPassword: chooses).kind
        }
        let mailbox = Proof(.emailCode, address: ProvedThing.own)
        #expect(kind(.usable, Proof(.password), chooses: false) == "signedIn")
        #expect(kind(.usable, mailbox, chooses: false) == "signedIn")
        #expect(kind(.usable, mailbox, chooses: true) == "secondFactor")
        #expect(kind(.resetRequired, mailbox, chooses: true) == "secondFactor")
        #expect(kind(.temporary, Proof(.password), chooses: false) == "secondFactor")
        #expect(kind(.temporary, Proof(.password), chooses: true) == "secondFactor")
    }

    @Test("without a proof there is no session")
    func nothingProved() {
        for enrolled in Enrolled.every {
            for situation in Situation.every(enrolled) where situation.proved.isEmpty {
                #expect(situation.next != .signedIn)
            }
        }
    }
}

/// The enrolled items, as a set of six.
struct Enrolled: OptionSet, Sendable, CustomTestStringConvertible {
    let rawValue: Int
    static let totp = Enrolled(rawValue: 1)
    static let sms = Enrolled(rawValue: 2)
    /// The account's own mailbox for sign-in.
    static let ownMailbox = Enrolled(rawValue: 4)
    static let otherMailbox = Enrolled(rawValue: 8)
    static let passkey = Enrolled(rawValue: 16)
    static let recoveryCodes = Enrolled(rawValue: 32)

    static let every = (0..<64).map(Enrolled.init(rawValue:))
    static let codeFactors: Enrolled = [.totp, .sms, .ownMailbox, .otherMailbox]

    var testDescription: String {
        let names = ["totp", "sms", "own mailbox", "other mailbox", "passkey", "recovery codes"]
        return names.indices.filter { rawValue & 1 << $0 != 0 }.map { names[$0] }.joined(separator: ", ")
    }
}

/// Possible proofs, in the test's own terms.
enum ProvedThing: String, CaseIterable, Sendable {
    case password, provider, ownMailbox, otherMailbox, phone, totp, passkey, verifiedPasskey, recoveryCode

    static let own = "ann@example.com"
    static let other = "ann@example.net"
    static let number = "+4915112345678"

    /// None, each, and each pair.
    static let sets: [[ProvedThing]] =
        [[]] + allCases.map { [$0] }
        + allCases.indices.flatMap { first in allCases[(first + 1)...].map { [allCases[first], $0] } }

    /// The thing that the proof shows.
    var thing: String {
        switch self {
        case .provider, .ownMailbox: "the mailbox \(Self.own)"
        case .otherMailbox: "the mailbox \(Self.other)"
        case .passkey, .verifiedPasskey: "a passkey"
        default: rawValue
        }
    }

    var proof: Proof {
        switch self {
        case .password: Proof(.password)
        case .provider: Proof(.provider, address: Self.own)
        case .ownMailbox: Proof(.emailCode, address: Self.own)
        case .otherMailbox: Proof(.emailCode, address: Self.other)
        case .phone: Proof(.smsCode, address: Self.number)
        case .totp: Proof(.totp)
        case .passkey: Proof(.passkey)
        case .verifiedPasskey: Proof(.verifiedPasskey)
        case .recoveryCode: Proof(.recoveryCode)
        }
    }
}

extension SignInCourse.Next {
    var kind: String {
        switch self {
        case .signedIn: "signedIn"
        case .secondFactor: "secondFactor"
        case .setUp: "setUp"
        case .newPassword: "newPassword"
        case .passwordExpired: "passwordExpired"
        case .noSecondFactorLeft: "noSecondFactorLeft"
        }
    }
}
