/// A choice of the user apart from the identity.
///
/// The raw value names the field of the page and the control member.
enum ConsentChoice: String, Sendable {
    case emailVerified = "email_verified"
    /// Microsoft's claim for an address in a domain of the tenant; without a choice the token omits it.
    case domainOwnerVerified = "xms_edov"
    /// Apple's relay address instead of the real one.
    case hideEmail = "hide_email"
    /// The public profile shows the address.
    case publicEmail = "public_email"
}

/// A user's answer to a provider's consent page.
struct Consent: Sendable {
    enum Decision: String, Sendable, CaseIterable {
        case allow, cancel, fail
    }

    let decision: Decision
    let person: Person
    private let choices: [ConsentChoice: Bool]
    /// Seconds since the user's last proof, whatever the request demands: a compliant provider has 0.
    var age = 0

    /// Nil if the user made no choice.
    subscript(_ choice: ConsentChoice) -> Bool? { choices[choice] }
}

extension Consent {
    /// The fields that the page posts in addition to the request.
    static func fields(_ choices: [ConsentChoice]) -> Set<String> {
        Set(choices.map(\.rawValue)).union(["subject", "email", "name"])
    }

    /// Reads the form of the consent page, where an unticked box sends nothing.
    init(_ form: Parameters, choices: [ConsentChoice], at provider: ProviderName) throws(Refusal) {
        guard let decision = Decision(rawValue: form.value("decision")) else {
            throw .invalidRequest("decision is not known")
        }
        var chosen: [ConsentChoice: Bool] = [:]
        for choice in choices {
            switch form[choice.rawValue] {
            case nil: chosen[choice] = false
            case "": break
            case "true": chosen[choice] = true
            case "false": chosen[choice] = false
            default: throw .invalidRequest("\(choice.rawValue) is true or false")
            }
        }
        self.init(
            decision: decision,
            person: .consenting(to: provider, subject: form["subject"], email: form["email"], name: form["name"]),
            choices: chosen)
    }

    /// Reads `POST /control/authorize`.
    init(_ members: ControlMembers, choices: [ConsentChoice], at provider: ProviderName) throws(ControlError) {
        try members.expectOnly(Self.fields(choices).union(["url", "decision", "auth_age"]))
        guard let decision = Decision(rawValue: try members.text("decision") ?? "allow") else {
            throw ControlError("decision is one of \(Decision.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        var chosen: [ConsentChoice: Bool] = [:]
        for choice in choices { chosen[choice] = try members.flag(choice.rawValue) }
        self.init(
            decision: decision,
            person: .consenting(
                to: provider, subject: try members.text("subject"), email: try members.text("email"),
                name: try members.text("name")),
            choices: chosen)
        age = try members.number("auth_age", in: 0...1_000_000_000) ?? 0
    }
}

extension Person {
    /// Another address means another user than the demo user, unless a subject is given.
    fileprivate static func consenting(
        to provider: ProviderName, subject: String?, email: String?, name: String?
    ) -> Person {
        let demo = Person.demo(of: provider)
        let email = email ?? demo.email
        return Person(
            seed: email.isEmpty || email == demo.email ? demo.seed : email,
            subject: subject.flatMap { $0.isEmpty ? nil : $0 }, email: email, name: name ?? demo.name)
    }
}
