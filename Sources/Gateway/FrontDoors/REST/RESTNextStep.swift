import JSON
import Sessions

/// Each step of the machine in the words of the API; a new step has to find its word here.
enum RESTNextStep {
    static func json(_ step: SignInStep) -> JSON {
        switch step {
        case .linkAccount(let email): ["type": "link_account", "email": .string(email)]
        case .confirmSignUp(let email, let length, let resendAfter):
            [
                "type": "confirm_sign_up",
                "delivery": ["medium": "email", "destination": .string(email), "code_length": .integer(length)],
                "resend_after": .integer(resendAfter),
            ]
        }
    }
}
