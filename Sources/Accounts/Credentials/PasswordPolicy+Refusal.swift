package import Providers
package import Vocabulary

extension BreachedPasswords {
    /// Refuses a password that was in a breach.
    ///
    /// Call it last, for a caller who has paid or proved: each new prefix costs a request.
    package func refuse(_ password: String) async throws(Rejection) {
        guard await !contain(PasswordPolicy.normalised(password)) else { throw .passwordCommon }
    }
}

extension PasswordPolicy {
    /// Refuses a password that breaks the policy, in the words of its complaint.
    package func check(_ password: String, _ address: EmailAddress?) throws(Rejection) {
        switch complaint(password, address: address) {
        case nil: return
        case .tooShort: throw .passwordTooShort(minimum: minimumLength)
        case .tooLong: throw .passwordTooLong
        case .common: throw .passwordCommon
        case .containsAddress: throw .passwordContainsAddress
        }
    }
}
