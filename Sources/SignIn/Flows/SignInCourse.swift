import Accounts
import Foundation
import Messages
import Sessions

/// Decides what a sign-in still needs, from the account's factors and the proofs.
///
/// Pure.
///
/// It looks at the proofs alone, never at the shown steps: no order of answers can skip a factor.
struct SignInCourse: Sendable, Equatable {
    /// One second factor that may be asked now.
    enum Candidate: Sendable, Equatable {
        case factor(AccountFactors.Factor)
        case passkey(isPreferred: Bool)
        case recoveryCode
        /// The password, after a mailed or texted code as first factor.
        case password
        /// The question of the operator's service.
        case custom
        /// A code to a proved mailbox or number, where a provider's answer of unknown age is renewed.
        case address(Destination)
    }

    /// A second factor that can be set up during a sign-in.
    enum SetUp: String, Codable, Sendable, Equatable, CaseIterable {
        case totp, email, sms
    }

    enum Next: Sendable, Equatable {
        case signedIn
        case secondFactor([Candidate])
        case setUp([SetUp])
        case newPassword
        /// The temporary password is too old to be replaced by the user.
        case passwordExpired
        /// The proofs are not enough, and no other factor is left.
        case noSecondFactorLeft
    }

    let factors: AccountFactors
    /// The client demands two factors.
    let isDemandedByClient: Bool
    /// The device was remembered for this account.
    var isRemembered: Bool
    /// The client uses the operator's challenge service.
    var hasCustomChallenge = false
    /// Temporary passwords that were set before have expired.
    var temporaryPasswordsSince = Date.distantPast
    /// The flow renews a session: see ``SignInFlow/renews``.
    var isRenewal = false
    /// The second factor that the app wishes.
    var wish: SecondFactorWish?

    func next(after proofs: Proofs, choosesPassword: Bool = false) -> Next {
        if isPasswordExpired(proofs) { return .passwordExpired }
        if isRenewal, !factors.isProtected { return proofs.areUndated ? renewal : .signedIn }
        if isSecondFactorDue(proofs, choosesPassword) { return secondFactor(proofs, choosesPassword) }
        if proofs.has(.password), factors.passwordState == .temporary, !choosesPassword { return .newPassword }
        // A password that an operator reset opens nothing, with any other proof.
        if proofs.has(.password), factors.passwordState == .resetRequired { return .noSecondFactorLeft }
        // No sign-in without a proof.
        return proofs.list.isEmpty ? .noSecondFactorLeft : .signedIn
    }

    private func isPasswordExpired(_ proofs: Proofs) -> Bool {
        guard proofs.has(.password), factors.passwordState == .temporary, let setAt = factors.passwordSetAt else {
            return false
        }
        return setAt < temporaryPasswordsSince
    }

    /// Any proof that does not come from a provider.
    private var renewal: Next {
        let addresses =
            factors.emails.prefix(1).map(Destination.email) + factors.phones.prefix(1).compactMap(phone)
        var candidates = addresses.map(Candidate.address)
        if factors.hasPassword, factors.passwordState == .usable { candidates.append(.password) }
        return candidates.isEmpty ? .noSecondFactorLeft : .secondFactor(candidates)
    }

    private func phone(_ number: String) -> Destination? { Destination(.sms, number) }

    /// Whether a remembered device replaces the second factor.
    func reliesOnRememberedDevice(_ proofs: Proofs) -> Bool {
        isRemembered && factors.isProtected && !proofs.isMultiFactor
    }

    /// Whether a device may replace the second factor that is due now.
    func mayRelyOnDevice(_ proofs: Proofs, choosesPassword: Bool) -> Bool {
        factors.isProtected && !proofs.list.isEmpty && !proofs.isMultiFactor
            && !changesPassword(proofs, choosesPassword)
    }

    private func isSecondFactorDue(_ proofs: Proofs, _ choosesPassword: Bool) -> Bool {
        if fulfilsWish(after: proofs, choosesPassword) { return true }
        guard factors.isProtected || factors.isDemanded || isDemandedByClient, !proofs.isMultiFactor else {
            return false
        }
        return changesPassword(proofs, choosesPassword) || !reliesOnRememberedDevice(proofs)
    }

    /// Whether the account has a factor for the wish of the app; none is set up for it.
    private func fulfilsWish(after proofs: Proofs, _ choosesPassword: Bool) -> Bool {
        guard wish != nil, !proofs.isMultiFactor else { return false }
        return !enrolled(proofs).isEmpty || !choosesPassword && isPasswordAnotherThing(than: proofs)
    }

    /// Whether the sign-in sets a password: then a remembered device does not replace the second factor.
    private func changesPassword(_ proofs: Proofs, _ choosesPassword: Bool) -> Bool {
        choosesPassword || (proofs.has(.password) && factors.passwordState != .usable)
    }

    private func secondFactor(_ proofs: Proofs, _ choosesPassword: Bool) -> Next {
        var candidates = enrolled(proofs)
        if candidates.isEmpty, !choosesPassword, isPasswordAnotherThing(than: proofs) { candidates = [.password] }
        if enrolled(proofs).isEmpty, mayBeChallenged(proofs) { candidates.append(.custom) }
        if factors.recoveryCodes > 0, !proofs.include(Proof(.recoveryCode)) { candidates.append(.recoveryCode) }
        if !candidates.isEmpty { return .secondFactor(candidates) }
        guard !factors.isProtected else { return .noSecondFactorLeft }
        return .setUp(setUps(proofs))
    }

    /// A password that was set through a mailbox proves nothing in addition to that mailbox.
    private func isPasswordAnotherThing(than proofs: Proofs) -> Bool {
        factors.hasPassword && factors.passwordState == .usable && !proofs.include(Proof(.password))
            && !(factors.passwordSetThrough.map(proofs.include(thing:)) ?? false)
    }

    /// The operator's service never replaces an enrolled second factor, and never comes first.
    private func mayBeChallenged(_ proofs: Proofs) -> Bool {
        hasCustomChallenge && !factors.isProtected && !proofs.list.isEmpty && !proofs.has(.custom)
    }

    private func enrolled(_ proofs: Proofs) -> [Candidate] {
        var candidates = factors.factors.filter { !proofs.include($0.proof) }.map(Candidate.factor)
        if !factors.passkeys.isEmpty, !proofs.include(Proof(.passkey)) {
            candidates.append(.passkey(isPreferred: factors.passkeys.contains(where: \.isPreferred)))
        }
        let apps = candidates.filter(\.isAuthenticatorApp)
        return wish == .totp && proofs.has(.password) && !apps.isEmpty ? apps : candidates
    }

    /// Text messages go to proved numbers only: a sign-in must not cause costs for a stranger.
    private func setUps(_ proofs: Proofs) -> [SetUp] {
        SetUp.allCases.filter { kind in
            switch kind {
            case .totp, .email: true
            case .sms: factors.phones.contains { !proofs.include(Proof(.smsCode, address: $0)) }
            }
        }
    }
}

extension SignInCourse.Candidate {
    fileprivate var isAuthenticatorApp: Bool {
        if case .factor(let factor) = self { factor.kind == .totp } else { false }
    }
}

extension SignInCourse.Next {
    /// What may be asked as a second factor; empty where none is due.
    var candidates: [SignInCourse.Candidate] {
        if case .secondFactor(let candidates) = self { candidates } else { [] }
    }

    /// Whether a factor is to be set up.
    var isSetUp: Bool {
        if case .setUp = self { true } else { false }
    }

    /// Whether the account has a factor of the kind that may be asked.
    func asks(for kind: AccountFactors.Kind) -> Bool {
        candidates.contains { candidate in
            if case .factor(let factor) = candidate { factor.kind == kind } else { false }
        }
    }
}
