import HTTPServer
import Pages
import Vocabulary

extension PageProblem {
    /// The problem with a sign-up form; nil if the refusal has its own page.
    init?(signUp rejection: Rejection, _ offer: SignUpOffer, _ form: FormBody) {
        switch rejection {
        case .invalidField(.username, _): self.init(Self.invalid(offer.kind))
        case .invalidField(.email, _): self.init("email_invalid")
        case .invalidField(.phone, _): self.init("phone_invalid")
        // Without a password, an account with a user name needs an address for codes.
        case .invalidField(.password, _) where offer.isWithoutPassword(form) && offer.contacts.count > 1:
            self.init(offer.contacts[1].kind == .email ? "email_required" : "phone_invalid")
        case .attributesInvalid(let faults): self.init(Self.attribute(faults.first?.fault.rawValue ?? ""))
        case .userNameTaken: self.init(rejection.code)
        case .deliveryRefused: self.init(rejection.code, about: offer.kind == .phone ? .phone : .email)
        case .countryNotServed: self.init(rejection.code, about: .phone)
        default: self.init(typed: rejection)
        }
    }

    private static func invalid(_ kind: SignInName.Kind) -> String {
        switch kind {
        case .email: "email_invalid"
        case .phone: "phone_invalid"
        case .userName: "user_name_invalid"
        }
    }

    private static func attribute(_ reason: String) -> String {
        switch reason {
        case "too_long": "attribute_too_long"
        case "must_be_number": "attribute_no_number"
        case "not_a_date": "attribute_no_date"
        default: "attribute_required"
        }
    }
}
