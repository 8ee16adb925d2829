import Testing

@testable import Accounts
@testable import Sessions
@testable import SignIn

@Suite("The place of a custom challenge")
struct CustomChallengeCourseTests {
    private static func course(_ factors: AccountFactors, hasChallenge: Bool = true, demanded: Bool = true)
        -> SignInCourse
    {
        SignInCourse(
            factors: factors, isDemandedByClient: demanded, isRemembered: false, hasCustomChallenge: hasChallenge)
    }

    @Test("it is demanded after a first factor, if a second one is due and the account has none")
    func asked() {
        let next = Self.course(AccountFactors()).next(after: Proofs([Proof(.provider)]))
        #expect(next == .secondFactor([.custom]))
    }

    @Test("it is never demanded without a first proof")
    func first() {
        #expect(Self.course(AccountFactors()).next(after: Proofs()) == .setUp([.totp, .email]))
    }

    @Test("it does not replace the user's own second factor")
    func protected() {
        var factors = AccountFactors()
        factors.isProtected = true
        #expect(Self.course(factors).next(after: Proofs([Proof(.password)])) == .noSecondFactorLeft)
    }

    @Test("it is not demanded if the client does not list it, or no factor is due")
    func absent() {
        let proofs = Proofs([Proof(.provider)])
        #expect(Self.course(AccountFactors(), hasChallenge: false).next(after: proofs) == .setUp([.totp, .email]))
        #expect(Self.course(AccountFactors(), demanded: false).next(after: proofs) == .signedIn)
    }

    @Test("alone it is one factor, with another one two")
    func level() {
        #expect(Proofs([Proof(.custom), Proof(.custom)]).level == "1")
        #expect(Proofs([Proof(.password), Proof(.custom)]).level == "2")
    }
}
