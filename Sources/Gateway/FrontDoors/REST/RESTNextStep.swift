import JSON
import Sessions

/// Each step of the machine in the words of the API: whatever a step carries, whichever it is.
enum RESTNextStep {
    static func json(_ step: SignInStep) -> JSON {
        var object: JSONObject = ["type": .string(step.type)]
        object["email"] = step.email.map(JSON.string)
        if let delivery = step.delivery {
            object["delivery"] = [
                "medium": .string(delivery.medium.rawValue), "destination": .string(delivery.destination),
                "code_length": .integer(delivery.codeLength),
            ]
            object["resend_after"] = .integer(delivery.resendAfter)
        }
        if !step.choices.isEmpty { object["factors"] = .array(step.choices.map(choice)) }
        object["totp"] = step.totp.map { ["secret": .string($0.secret), "uri": .string($0.uri)] }
        object["passkey"] = step.passkey
        if !step.requiredAttributes.isEmpty {
            object["required_attributes"] = .array(step.requiredAttributes.map(JSON.string))
        }
        object["url"] = step.url.map(JSON.string)
        object["retry_after"] = step.retryAfter.map(JSON.integer)
        object["challenge"] = step.challenge.map(JSON.object)
        return .object(object)
    }

    private static func choice(_ choice: StepChoice) -> JSON {
        var object: JSONObject = ["id": .string(choice.id), "type": .string(choice.kind)]
        object["hint"] = choice.hint.map(JSON.string)
        return .object(object)
    }
}
