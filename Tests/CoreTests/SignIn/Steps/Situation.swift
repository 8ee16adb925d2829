import Foundation

@testable import Accounts
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// One combination, with the rules for the machine's answer.
///
/// The rules follow the design document, not the machine: they name things instead of proofs.
struct Situation: Sendable {
    enum Password: CaseIterable, Sendable {
        case none, usable, temporary, resetRequired
    }

    let enrolled: Enrolled
    let password: Password
    let proved: [ProvedThing]
    let isDemandedByClient: Bool
    let isDemandedOfAccount: Bool
    let isRemembered: Bool
    let choosesPassword: Bool

    static func every(_ enrolled: Enrolled) -> [Situation] {
        Password.allCases.flatMap { password in
            ProvedThing.sets.flatMap { proved in
                (0..<16).map { bits in
                    Situation(
                        enrolled: enrolled, password: password, proved: proved, isDemandedByClient: bits & 1 != 0,
                        isDemandedOfAccount: bits & 2 != 0, isRemembered: bits & 4 != 0,
                        choosesPassword: bits & 8 != 0)
                }
            }
        }
    }

    var next: SignInCourse.Next {
        SignInCourse(factors: factors, isDemandedByClient: isDemandedByClient, isRemembered: isRemembered)
            .next(after: Proofs(proved.map(\.proof)), choosesPassword: choosesPassword)
    }

    // MARK: In the words of the design

    private var isProtected: Bool { !enrolled.isDisjoint(with: .codeFactors) }
    private var things: Set<String> { Set(proved.map(\.thing)) }
    private var hasTwoThings: Bool { things.count > 1 || proved.contains(.verifiedPasskey) }
    private var isSecondDue: Bool {
        (isProtected || isDemandedByClient || isDemandedOfAccount) && !hasTwoThings
            && !(isRemembered && isProtected && !isPasswordChanging)
    }
    private var isPasswordChanging: Bool {
        choosesPassword || proved.contains(.password) && (password == .temporary || password == .resetRequired)
    }
    private var isTakenBack: Bool { proved.contains(.password) && password == .resetRequired }
    private var isNewPasswordDue: Bool { proved.contains(.password) && password == .temporary && !choosesPassword }

    /// The further things that the account could prove.
    private var left: Set<String> {
        var all: Set<String> = []
        if enrolled.contains(.totp) { all.insert("totp") }
        if enrolled.contains(.sms) { all.insert("phone") }
        if enrolled.contains(.ownMailbox) { all.insert("the mailbox \(ProvedThing.own)") }
        if enrolled.contains(.otherMailbox) { all.insert("the mailbox \(ProvedThing.other)") }
        if enrolled.contains(.passkey) { all.insert("a passkey") }
        return all.subtracting(things)
    }
    private var canUseRecoveryCode: Bool { enrolled.contains(.recoveryCodes) && !proved.contains(.recoveryCode) }
    private var canUsePassword: Bool { password == .usable && !choosesPassword && !proved.contains(.password) }

    func brokenRules() -> [String] {
        let next = next
        var broken: [String] = []
        func rule(_ words: String, _ holds: Bool) { if !holds { broken.append(words) } }
        switch next {
        case .signedIn:
            rule("somebody was proved", !proved.isEmpty)
            rule("a second factor that is due is asked", !isSecondDue)
            rule("a temporary password leads to a new one", !isNewPasswordDue)
            rule("a password that was taken back signs nobody in", !isTakenBack)
        case .secondFactor(let candidates): broken += brokenRules(of: candidates)
        case .setUp(let kinds):
            rule("set-up only where a second factor is due", isSecondDue)
            rule("set-up only where none is enrolled", !isProtected && left.isEmpty)
            rule("set-up only where nothing else can be asked", !canUseRecoveryCode && !canUsePassword)
            rule("an authenticator app can always be set up", kinds.contains(.totp) && kinds.contains(.email))
            rule("a number is offered once it is proved", kinds.contains(.sms) == !proved.contains(.phone))
        case .newPassword: rule("another password where one is due", isNewPasswordDue && !isSecondDue)
        case .passwordExpired: rule("no password is too old here", false)
        case .noSecondFactorLeft:
            rule(
                "a dead end only where all hangs on what was proved",
                (proved.isEmpty || isTakenBack) && !isSecondDue
                    || isSecondDue && isProtected && left.isEmpty && !canUseRecoveryCode && !canUsePassword)
        }
        return broken
    }

    private func brokenRules(of candidates: [SignInCourse.Candidate]) -> [String] {
        var broken: [String] = []
        func rule(_ words: String, _ holds: Bool) { if !holds { broken.append(words) } }
        let named = candidates.map(Self.thing)
        rule("a second factor is asked where one is due", isSecondDue)
        rule("there is something to ask", !named.isEmpty)
        rule("nothing is offered twice", named.count == Set(named).count)
        rule("never the same thing again", things.isDisjoint(with: named))
        var expected = left
        if left.isEmpty, canUsePassword { expected.insert("password") }
        if canUseRecoveryCode { expected.insert("recoveryCode") }
        rule("all that is left is offered, and nothing else", Set(named) == expected)
        return broken
    }

    private static func thing(_ candidate: SignInCourse.Candidate) -> String {
        switch candidate {
        case .password: "password"
        case .recoveryCode: "recoveryCode"
        case .passkey: "a passkey"
        case .custom: "the operator's challenge"
        case .address: "an address, which only a renewal asks for"
        case .factor(let factor):
            switch factor.kind {
            case .totp: "totp"
            case .sms: "phone"
            case .email: "the mailbox \(factor.addressKey ?? "")"
            }
        }
    }

    // MARK: As the database would tell it

    private var factors: AccountFactors {
        var factors = AccountFactors()
        factors.isProtected = isProtected
        factors.isDemanded = isDemandedOfAccount
        factors.hasPassword = password != .none
        factors.passwordState =
            switch password {
            case .none, .usable: .usable
            case .temporary: .temporary
            case .resetRequired: .resetRequired
            }
        factors.emails = [EmailAddress(ProvedThing.own)].compactMap(\.self)
        factors.phones = [ProvedThing.number]
        factors.recoveryCodes = enrolled.contains(.recoveryCodes) ? 10 : 0
        if enrolled.contains(.totp) { factors.factors.append(.test(.totp)) }
        if enrolled.contains(.sms) { factors.factors.append(.test(.sms, ProvedThing.number)) }
        if enrolled.contains(.ownMailbox) { factors.factors.append(.test(.email, ProvedThing.own)) }
        if enrolled.contains(.otherMailbox) { factors.factors.append(.test(.email, ProvedThing.other)) }
        if enrolled.contains(.passkey) { factors.passkeys = [.test()] }
        return factors
    }
}

extension AccountFactors.Factor {
    static func test(
        _ kind: AccountFactors.Kind, _ address: String? = nil, id: UUID = UUID(), sealed: [UInt8] = [],
        isPreferred: Bool = false
    ) -> AccountFactors.Factor {
        AccountFactors.Factor(
            id: id, kind: kind, name: nil, address: address, addressKey: address, sealed: sealed, counter: nil,
            isPreferred: isPreferred, addedAt: .noon, usedAt: nil)
    }
}

extension AccountFactors.Passkey {
    static func test(isPreferred: Bool = false) -> AccountFactors.Passkey {
        AccountFactors.Passkey(
            id: UUID(), credential: [1], publicKey: [], userHandle: [], counter: 0, transports: [],
            isBackupEligible: false, isBackedUp: false, name: nil, isPreferred: isPreferred, addedAt: .noon,
            usedAt: nil)
    }
}
