import Providers
import Vocabulary

extension Rejection {
    /// Why a provider did not take an answer, where another one may be given.
    init(_ refusal: StepRefusal, triesLeft: Int) {
        switch refusal {
        case .codeWrong, .answerWrong: self = .codeWrong(triesLeft: triesLeft)
        case .codeExpired, .codeUsed: self = .codeExpired
        case .passwordWrong: self = .invalidCredentials()
        case .passwordRejected(let faults): self = .passwordRejected(faults.map(\.rawValue))
        case .attributesRejected(let names): self = .attributesRejected(names)
        case .contactRejected: self = .deliveryRefused
        case .methodRejected: self = .invalidField(.factor, .notOffered)
        case .deliveryFailed: self = .deliveryUnavailable
        case .tooManyAttempts(let seconds): self = .throttled(retryAfter: seconds)
        case .cannotResend: self = .nothingToResend
        }
    }

    /// Why a provider ended a sign-in.
    init(_ end: StepwiseEnd) {
        switch end {
        case .credentialsWrong: self = .invalidCredentials()
        case .userDisabled: self = .accountDisabled
        case .temporaryPasswordExpired: self = .temporaryPasswordExpired
        case .tooManyAttempts(let seconds): self = .throttled(retryAfter: seconds)
        case .expired: self = .flowExpired
        case .noContact, .noMethod: self = .noSecondFactorLeft
        case .contactTaken: self = .factorExists
        case .declined: self = .providerDeclined
        }
    }
}
