import Clients
import Foundation
import HTTPServer
import Hummingbird
import Pages
import Sessions
import SignIn
import Vocabulary

extension WebSignInDoor {
    /// `GET /login`: a button for each provider, and the password form.
    @Sendable func loginPage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("login_page", request, context) { call in
            let fields = try query(request)
            if let address = cognitoAuthorization(fields, request) { return .seeOther(address) }
            let entry = try entry(fields, &call)
            if entry.prompt.contains(.silent) { return try await silentAnswer(entry, fields, &call) }
            if entry.prompt.contains(.signUp) { return .seeOther(entry.address(of: "/sign-up")) }
            let isAnew = entry.prompt.asksAnew
            let session = isAnew ? nil : try await session(&call)
            if let session, let answer = try await singleSignOn(session, entry, call) { return answer }
            return show(loginPage(entry, call, session: session, isAnew: isAnew), call)
        }
    }

    /// The authorization endpoint of a user pool, for the id of its app client, which is no client of ours.
    private func cognitoAuthorization(_ fields: FormBody, _ request: Request) -> String? {
        guard let id = fields["client_id"], clients.client(id) == nil, clients.cognitoClient(id) != nil else {
            return nil
        }
        return "/oauth2/authorize?\(request.uri.query ?? "")"
    }

    /// `POST /login`: a name with a password, or a name alone.
    @Sendable func passwordLogin(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_in", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            // The typed name goes along.
            if form["with"] == "reset" { return .seeOther(entry.hinting(form["username"]).address(of: "/forgot")) }
            call.logged.provider = PasswordSignInService.provider
            let asked = SignInRequest(
                client: entry.client, device: device(call), linkFlow: form["link_flow"], handing: entry.target.handing,
                botToken: botToken(form, entry.client), caller: call.caller)
            do throws(Rejection) {
                guard let credential = try await credential(form, asked, call) else {
                    return show(passwordPage(entry, call, username: form["username"] ?? ""), call)
                }
                return try await finish(try await flows.begin(credential, asked), entry, form, &call)
            } catch {
                if let check = botCheckPage(at: "/login", form, entry, error, call) { return check }
                return try retyped(form, entry, error, &call)
            }
        }
    }

    /// `POST /login/continue`: continues with the existing session.
    @Sendable func continueSignedIn(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_signed_in", request, context) { call in
            let entry = try entry(try await form(request, call), &call)
            guard let session = try await session(&call) else { throw Rejection.sessionEnded() }
            return try await goOn(session, entry, call)
        }
    }

    /// Goes to the destination with the session that this browser has.
    func goOn(
        _ session: SessionSnapshot, _ entry: WebEntry, _ call: WebCall
    ) async throws(Rejection) -> Response {
        if let answer = try await singleSignOn(session, entry, call) { return answer }
        // Otherwise another app's website would get a foreign session.
        guard entry.isServed(by: session) else { throw .sessionEnded() }
        return arrival(at: entry.target, call)
    }

    /// `POST /login/decline`: creates a new account for the identity of a link flow.
    @Sendable func declineLink(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("continue_sign_in", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            let link = FlowCall(
                form["link_flow"] ?? "", of: entry.client, device: device(call), handing: entry.target.handing,
                caller: call.caller)
            let outcome = try await flows.answer(StepResponse(.separateAccount), link)
            return try await handle(outcome, entry, &call)
        }
    }

    /// The credential of the form; nil if the next page asks for the password of the name.
    ///
    /// For a name alone, the core chooses the first factor. The password's page needs no flow: its form sends both.
    private func credential(
        _ form: FormBody, _ request: SignInRequest, _ call: WebCall
    ) async throws(Rejection) -> Credential? {
        let name = form["username"] ?? ""
        if form["with"] == "code" {
            return .code(name: name, SignInName(name)?.kind == .phone ? .smsCode : .emailCode)
        }
        if let password = form["password"] { return .password(name: name, password: password) }
        let usedLast = call.cookies[CookieName.method]
        let factor = try await flows.likelyFactor(of: name, usedLast: usedLast, request)
        return factor == .password ? nil : .name(name, first: factor)
    }

    /// The same page with the problem above the form; other refusals get a page of their own.
    private func retyped(
        _ form: FormBody, _ entry: WebEntry, _ rejection: Rejection, _ call: inout WebCall
    ) throws(Rejection) -> Response {
        guard
            let problem = PageProblem(
                beginning: rejection, hasPassword: form["password"] != nil && form["with"] == nil)?
                .speaking(of: SignInNames(entry.client))
        else {
            throw rejection
        }
        let refusal = WebRefusal(rejection)
        record(rejection, call)
        let username = form["username"] ?? ""
        if let flow = form["link_flow"], let pending = linkPage(form, entry, flow, problem, call) {
            return show(pending, call, status: refusal.status)
        }
        if form["password"] != nil, SignInName(username) != nil {
            let page = passwordPage(entry, call, username: username, problem: problem.ofPassword)
            return show(page, call, status: refusal.status)
        }
        return show(
            loginPage(entry, call, session: nil, username: username, problem: problem), call, status: refusal.status)
    }
}

extension PageProblem {
    /// The problem with the first form of a sign-in; without a password only the name can be wrong.
    fileprivate init?(beginning rejection: Rejection, hasPassword: Bool) {
        if case .invalidField(.username, _) = rejection {
            self.init(hasPassword ? "invalid_credentials" : "email_invalid")
        } else {
            self.init(typed: rejection)
        }
    }

    /// The problem in terms of a field that accepts user names or phone numbers too.
    func speaking(of names: SignInNames) -> PageProblem {
        guard names.kinds != [.email] else { return self }
        return switch code {
        case "email_invalid": PageProblem("name_invalid")
        case "invalid_credentials": PageProblem("invalid_name_credentials")
        default: self
        }
    }

    /// The problem at the password: the name is no longer a field of that page.
    fileprivate var ofPassword: PageProblem {
        switch ProblemCode(rawValue: code) {
        case .invalidCredentials, .invalidNameCredentials: PageProblem(code, arguments, about: .password)
        default: self
        }
    }

    /// A problem that other input can solve; nil for other refusals.
    init?(typed rejection: Rejection) {
        let refusal = WebRefusal(rejection)
        switch rejection {
        case .invalidCredentials, .throttled, .codeWrong, .tooManyTries, .resendTooSoon, .tooManyResends,
            .passwordTooShort, .passwordTooLong, .passwordCommon, .passwordContainsAddress, .passwordUnchanged,
            .deliveryUnavailable, .deliveryRefused, .countryNotServed, .overloaded, .botCheckRequired, .botCheckFailed:
            self.init(refusal.code, refusal.arguments)
        case .invalidField(.password, _): self.init("password_required")
        case .invalidField(_, .notACode): self.init("code_malformed")
        case .invalidField(.username, _): self.init("email_invalid")
        default: return nil
        }
    }
}
