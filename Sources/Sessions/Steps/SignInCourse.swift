/// Decides what a sign-in still needs: pure, from what is known of the account and what was proved.
///
/// No order of answers leads past it: it looks at the proofs alone, never at the steps that were shown.
struct SignInCourse: Sendable, Equatable {
    /// One second factor that may be asked now.
    enum Candidate: Sendable, Equatable {
        case factor(AccountFactors.Factor)
        case passkey(isPreferred: Bool)
        case recoveryCode
        /// Where the first factor was a mailbox, the password is a second one.
        case password
        /// What a service of the operator's asks.
        case custom
    }

    /// A second factor that can be set up in the middle of a sign-in.
    enum SetUp: String, Sendable, Equatable, CaseIterable {
        case totp, email, sms
    }

    enum Next: Sendable, Equatable {
        case signedIn
        case secondFactor([Candidate])
        case setUp([SetUp])
        case newPassword
        /// What was proved opens nothing, and nothing is left to prove beside it.
        case noSecondFactorLeft
    }

    let factors: AccountFactors
    /// The client wants two factors from everybody.
    let isDemandedByClient: Bool
    /// The device was remembered for this account.
    var isRemembered: Bool
    /// The client's people may be asked by the operator's service.
    var hasCustomChallenge = false

    func next(after proofs: Proofs, choosesPassword: Bool = false) -> Next {
        if isSecondFactorDue(proofs, choosesPassword) { return secondFactor(proofs, choosesPassword) }
        if proofs.has(.password), factors.passwordState == .temporary, !choosesPassword { return .newPassword }
        // A password that an operator took back opens nothing, whatever was proved beside it.
        if proofs.has(.password), factors.passwordState == .resetRequired { return .noSecondFactorLeft }
        // Nothing proved signs nobody in, whoever may ask.
        return proofs.list.isEmpty ? .noSecondFactorLeft : .signedIn
    }

    /// Whether a session after these proofs stands on the remembered device in place of a second factor.
    func reliesOnRememberedDevice(_ proofs: Proofs) -> Bool {
        isRemembered && factors.isProtected && !proofs.isMultiFactor
    }

    private func isSecondFactorDue(_ proofs: Proofs, _ choosesPassword: Bool) -> Bool {
        guard factors.isProtected || factors.isDemanded || isDemandedByClient, !proofs.isMultiFactor else {
            return false
        }
        return changesPassword(proofs, choosesPassword) || !reliesOnRememberedDevice(proofs)
    }

    /// A reset, or another password in place of a temporary one: a remembered device replaces no second factor there.
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

    /// A password that came by way of a mailbox, in this flow or before, proves nothing beside that mailbox.
    private func isPasswordAnotherThing(than proofs: Proofs) -> Bool {
        factors.hasPassword && factors.passwordState == .usable && !proofs.include(Proof(.password))
            && !(factors.passwordSetThrough.map(proofs.include(thing:)) ?? false)
    }

    /// The operator's service speaks for nobody who has a second factor of their own, and for nobody who has proved
    /// nothing yet.
    private func mayBeChallenged(_ proofs: Proofs) -> Bool {
        hasCustomChallenge && !factors.isProtected && !proofs.list.isEmpty && !proofs.has(.custom)
    }

    private func enrolled(_ proofs: Proofs) -> [Candidate] {
        var candidates = factors.factors.filter { !proofs.include($0.proof) }.map(Candidate.factor)
        if !factors.passkeys.isEmpty, !proofs.include(Proof(.passkey)) {
            candidates.append(.passkey(isPreferred: factors.passkeys.contains(where: \.isPreferred)))
        }
        return candidates
    }

    /// A text message only to a number that was proved before, so that a sign-in can't be turned to a stranger's phone bill.
    private func setUps(_ proofs: Proofs) -> [SetUp] {
        SetUp.allCases.filter { kind in
            switch kind {
            case .totp, .email: true
            case .sms: factors.phones.contains { !proofs.include(Proof(.smsCode, address: $0)) }
            }
        }
    }
}
