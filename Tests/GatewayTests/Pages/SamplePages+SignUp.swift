@testable import Pages
@testable import Web

extension SamplePages {
    var signUp: SignUpPage { signUp(problem: PageProblem("password_too_short", ["minimum": text("8")])) }

    var signUpWithoutPassword: SignUpPage {
        SignUpPage(
            clientName: text("Duck Shop"), ways: .none, hidden: hidden,
            contacts: [.init(kind: .phone, isRequired: true, value: text("+4915112345678"))], asksForPassword: false,
            offersCode: false, displayName: text("Ann"),
            attributes: attributes.map { attribute in
                .init(
                    name: attribute.name, label: attribute.label, kind: attribute.kind,
                    isRequired: attribute.isRequired, value: attribute.value, isConcerned: attribute.kind == .answer)
            }, minimumLength: 8, otherNames: [], loginAddress: address("/login?client_id=shop"),
            problem: PageProblem("attribute_required"))
    }

    func signUp(problem: PageProblem?) -> SignUpPage {
        SignUpPage(
            clientName: text("Duck Shop"), ways: SignInWays(providers(), nil, usedLast: nil),
            hidden: hidden,
            contacts: [
                .init(kind: .username, isRequired: true, value: text("ann.lee")),
                .init(kind: .email, isRequired: false, value: text("ann@example.com")),
                .init(kind: .phone, isRequired: false, value: text("+4915112345678")),
            ], asksForPassword: true, offersCode: true, displayName: text("Ann"), attributes: attributes,
            minimumLength: 8,
            otherNames: [
                .init(kind: .email, address: address("/sign-up?client_id=shop&with=email")),
                .init(kind: .phone, address: address("/sign-up?client_id=shop&with=phone")),
            ], loginAddress: address("/login?client_id=shop"), problem: problem)
    }

    private var attributes: [SignUpPage.Attribute] {
        [
            attribute("given_name", .known(.givenName), .text, isRequired: true, value: text("Ann")),
            attribute("birthdate", .known(.birthdate), .date, isRequired: false, value: text("2001-12-31")),
            attribute("shoe_size", .other(text("Shoe size")), .number, isRequired: false, value: text("42.5")),
            attribute("newsletter", .other(text("Newsletter")), .tick, isRequired: false, value: "true"),
            attribute("of_age", .other(text("Of age")), .answer, isRequired: true, value: "false"),
        ]
    }

    private func attribute(
        _ name: String, _ label: AttributeLabel, _ kind: SignUpPage.Attribute.Kind, isRequired: Bool,
        value: String
    ) -> SignUpPage.Attribute {
        .init(name: text(name), label: label, kind: kind, isRequired: isRequired, value: value, isConcerned: false)
    }
}
