import Clients
import HTTPServer
import Hummingbird
import Pages
import SignIn
import Vocabulary

extension WebSignInDoor {
    /// `GET /sign-up`: `with` chooses one of the kinds of names that the app allows.
    @Sendable func signUpPage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_up_page", request, context) { call in
            let fields = try query(request)
            let entry = try entry(fields, &call)
            if entry.prompt.contains(.silent) { return try await silentAnswer(entry, fields, &call) }
            let offer = SignUpOffer(entry.client, asked: fields["with"], sendsTexts: sendsTexts)
            if offer != nil { call.botWidget = firstBotWidget(for: entry.client) }
            let page = signUpPage(offer, entry, call)
            guard page.contacts.isEmpty, page.ways.isEmpty else { return show(page, call) }
            record(.providerNotAllowed(), call)
            return show(page, call, status: .forbidden)
        }
    }

    /// `POST /sign-up`: sends the code, or creates an account without addresses.
    @Sendable func beginSignUp(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_up", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            let offer = try offer(entry, form)
            do throws(Rejection) {
                let asked = SignInRequest(
                    client: entry.client, device: device(call), handing: entry.target.handing,
                    botToken: botToken(form, entry.client), caller: call.caller)
                let outcome = try await flows.begin(.signUp(try typed(form, offer)), asked)
                return try await handle(outcome, entry, &call, after: form)
            } catch {
                guard let problem = PageProblem(signUp: error, offer, form) else { throw error }
                record(error, call)
                call.botWidget = botWidget(after: error, form, entry.client)
                let concerned = error.attribute
                return show(
                    signUpPage(offer, entry, call, form, problem, concerned), call, status: WebRefusal(error).status)
            }
        }
    }

    private func offer(_ entry: WebEntry, _ fields: FormBody) throws(Rejection) -> SignUpOffer {
        let offer = SignUpOffer(entry.client, asked: fields["with"], sendsTexts: sendsTexts)
        guard let offer else { throw .providerNotAllowed() }
        return offer
    }

    private func typed(_ form: FormBody, _ offer: SignUpOffer) throws(Rejection) -> SignUpForm {
        let isWithoutPassword = offer.isWithoutPassword(form)
        // A missing password does not request an account without one.
        guard isWithoutPassword || form["password"] != nil else {
            throw .invalidField(.password, .required)
        }
        let besides = Set(offer.contacts.dropFirst().map(\.kind))
        return SignUpForm(
            username: form[offer.kind.field.rawValue] ?? "", password: isWithoutPassword ? nil : form["password"],
            email: besides.contains(.email) ? form["email"] : nil,
            phone: besides.contains(.phone) ? form["phone"] : nil, displayName: form["display_name"],
            attributes: form.attributes(offer.client.attributes.ofUsers))
    }

    private func signUpPage(
        _ offer: SignUpOffer?, _ entry: WebEntry, _ call: WebCall, _ typed: FormBody? = nil,
        _ problem: PageProblem? = nil, _ concerned: String? = nil
    ) -> SignUpPage {
        let kind = offer.map { [HiddenField(name: "with", value: $0.kind.field.rawValue)] } ?? []
        return SignUpPage(
            clientName: entry.client.name, ways: ways(entry, call),
            hidden: hidden(call, entry.hidden + kind),
            contacts: (offer?.contacts ?? []).map { contact in
                let field = contact.kind.field
                let value = typed?[field.rawValue] ?? entry.hinted(contact.kind)
                return .init(kind: field, isRequired: contact.isRequired, value: value ?? "")
            },
            asksForPassword: offer?.asksForPassword == true,
            offersCode: offer.map { $0.asksForPassword && $0.allowsCode } ?? false,
            displayName: typed?["display_name"] ?? "",
            attributes: entry.client.attributes.ofUsers.map { attribute in
                let value = typed?[StepPage.Attribute.prefix + attribute.name] ?? ""
                return .init(attribute, value: value, isConcerned: attribute.name == concerned)
            },
            minimumLength: minimumPasswordLength,
            otherNames: (offer?.others ?? []).map { kind in
                let parameters = entry.parameters + [("with", kind.field.rawValue)]
                return .init(kind: kind.field, address: "/sign-up".addingQuery(parameters))
            },
            loginAddress: entry.address(of: "/login"), problem: problem)
    }
}

extension SignUpPage.Attribute {
    fileprivate init(_ attribute: ClientAttribute, value: String, isConcerned: Bool) {
        self.init(
            name: attribute.name,
            label: KnownAttribute(rawValue: attribute.name).map(AttributeLabel.known) ?? .other(attribute.title),
            kind: Kind(attribute), isRequired: attribute.isRequired, value: value, isConcerned: isConcerned)
    }
}

extension SignUpPage.Attribute.Kind {
    /// A required flag is a question with two answers, because an unticked box gives neither.
    fileprivate init(_ attribute: ClientAttribute) {
        self =
            switch attribute.kind {
            case .text: .text
            case .number: .number
            case .date: .date
            case .flag: attribute.isRequired ? .answer : .tick
            }
    }
}

extension ClientAttribute {
    /// The attribute's name as a label, if the pages have no text for it: `shoe_size` becomes "Shoe size".
    fileprivate var title: String {
        let words = name.replacing("_", with: " ")
        return words.prefix(1).uppercased() + words.dropFirst()
    }
}

extension Rejection {
    /// The attribute that the refusal names.
    fileprivate var attribute: String? {
        if case .attributesInvalid(let faults) = self { faults.first?.name } else { nil }
    }
}
