/// What the person says beside who they are; the raw value names the field of the page and the control member.
enum ConsentChoice: String, Sendable {
    case emailVerified = "email_verified"
    /// Microsoft's word for an address whose domain the tenant owns; left open, the token doesn't say.
    case domainOwnerVerified = "xms_edov"
    /// Apple's relay address in place of the person's own.
    case hideEmail = "hide_email"
    /// The public profile shows the address.
    case publicEmail = "public_email"
}

/// The answer of a person who was asked by a provider's consent page.
struct Consent: Sendable {
    enum Decision: String, Sendable, CaseIterable {
        case allow, cancel, fail
    }

    let decision: Decision
    let person: Person
    private let choices: [ConsentChoice: Bool]
    /// How long ago the person proved themselves, in seconds, whatever the request wants: a provider that does as told has 0.
    var age = 0

    /// Nil where the person left it open.
    subscript(_ choice: ConsentChoice) -> Bool? { choices[choice] }
}

extension Consent {
    /// The fields that the page posts, beside the request.
    static func fields(_ choices: [ConsentChoice]) -> Set<String> {
        Set(choices.map(\.rawValue)).union(["subject", "email", "name"])
    }

    /// Reads the form of the consent page, where a box that is not ticked sends nothing.
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
    /// Somebody by an address of their own is somebody else than the demo person, unless a subject says who they are.
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
