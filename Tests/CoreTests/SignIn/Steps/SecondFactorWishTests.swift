import Foundation
import Testing

@testable import Accounts
@testable import Sessions
@testable import SignIn

/// An app's wish asks for a factor that the account has, and weakens no rule.
@Suite("The wish for a second factor")
struct SecondFactorWishTests {
    private static let password = Proofs([Proof(.password)])
    private static let mailbox = Proofs([Proof(.emailCode, address: ProvedThing.own)])

    private static func next(_ wish: SecondFactorWish?, _ proofs: Proofs, _ factors: AccountFactors)
        -> SignInCourse.Next
    {
        SignInCourse(factors: factors, isDemandedByClient: false, isRemembered: false, wish: wish).next(after: proofs)
    }

    private static func account(_ change: (inout AccountFactors) -> Void) -> AccountFactors {
        var factors = AccountFactors()
        factors.hasPassword = true
        change(&factors)
        return factors
    }

    @Test("a passkey that no rule asks for is asked", arguments: [SecondFactorWish.any, .totp])
    func passkey(wish: SecondFactorWish) {
        let factors = Self.account { $0.passkeys = [.test()] }
        #expect(Self.next(nil, Self.password, factors) == .signedIn)
        #expect(Self.next(wish, Self.password, factors) == .secondFactor([.passkey(isPreferred: false)]))
    }

    @Test("after a mailed code the password is asked", arguments: [SecondFactorWish.any, .totp])
    func password(wish: SecondFactorWish) {
        #expect(Self.next(nil, Self.mailbox, Self.account { _ in }) == .signedIn)
        #expect(Self.next(wish, Self.mailbox, Self.account { _ in }) == .secondFactor([.password]))
        let set = Self.account { $0.passwordSetThrough = Self.mailbox.list[0].thing }
        #expect(Self.next(wish, Self.mailbox, set) == .signedIn, "such a password proves nothing more")
    }

    @Test("an account without a factor signs in, and sets none up", arguments: [SecondFactorWish.any, .totp])
    func nothing(wish: SecondFactorWish) {
        #expect(Self.next(wish, Self.password, Self.account { _ in }) == .signedIn)
        let demanded = Self.account { $0.isDemanded = true }
        #expect(Self.next(wish, Self.password, demanded) == .setUp([.totp, .email]), "what others demand stays due")
    }

    @Test("the authenticator app alone is asked beside a password, where the app wishes it")
    func totp() {
        let totp = AccountFactors.Factor.test(.totp)
        let mail = AccountFactors.Factor.test(.email, ProvedThing.other)
        let factors = Self.account { ($0.isProtected, $0.factors) = (true, [mail, totp]) }
        #expect(Self.next(.totp, Self.password, factors) == .secondFactor([.factor(totp)]))
        #expect(Self.next(.any, Self.password, factors) == .secondFactor([.factor(mail), .factor(totp)]))
        // Beside a mailed code it reaches no more than the other one.
        #expect(Self.next(.totp, Self.mailbox, factors) == .secondFactor([.factor(mail), .factor(totp)]))
        let without = Self.account { ($0.isProtected, $0.factors) = (true, [mail]) }
        #expect(Self.next(.totp, Self.password, without) == .secondFactor([.factor(mail)]))
    }

    @Test("two factors fulfil every wish", arguments: [SecondFactorWish.any, .totp])
    func fulfilled(wish: SecondFactorWish) {
        let factors = Self.account { $0.passkeys = [.test()] }
        #expect(Self.next(wish, Self.mailbox.adding(Proof(.password)), factors) == .signedIn)
    }
}
