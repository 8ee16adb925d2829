package import Vocabulary

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
