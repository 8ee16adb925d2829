import Clients
import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import Pages
import Sessions
import SignIn
import Vocabulary

/// The answers after a sign-in, or before its next step.
extension HostedPages {
    func handle(
        _ outcome: SignInOutcome, _ entry: WebEntry, _ call: inout WebCall, after form: FormBody? = nil
    ) async throws(Rejection) -> Response {
        switch outcome {
        case .signedIn(let signedIn): return try await didSignIn(signedIn, entry.target, &call)
        case .nextStep(let pending): return try step(pending, entry, &call, after: form)
        }
    }

    /// Answers after a session begins: the browser keeps the session, or carries its handover code to the app.
    func didSignIn(
        _ signedIn: SignedIn, _ target: LoginTarget, _ call: inout WebCall
    ) async throws(Rejection) -> Response {
        if let token = signedIn.deviceToken {
            call.setCookies.append(
                SetCookie(name: CookieName.device, value: token, sameSite: .lax, life: 31_536_000))
        }
        call.setCookies.append(
            SetCookie(name: CookieName.method, value: signedIn.method, sameSite: .lax, life: 31_536_000))
        switch signedIn.session {
        case .cookie(let value, let life):
            await endReplaced(by: signedIn.sessionID, call)
            call.setCookies.removeAll { $0.name == CookieName.session }
            if call.isImpersonating { call.setCookies.append(.removed(CookieName.operatorSession)) }
            call.setCookies.append(SetCookie(name: CookieName.session, value: value, sameSite: .lax, life: life))
            return try await handOver(signedIn.sessionID, of: signedIn.account.id, target, call)
        case .code, .tokens:
            // Browsers receive no tokens, so this call requests none.
            return arrival(at: target, call)
        }
    }

    /// Goes to the destination with the browser's session, or with a code for a session of the app.
    func handOver(
        _ browser: UUID, of account: UUID, _ target: LoginTarget, _ call: WebCall
    ) async throws(Rejection) -> Response {
        guard let app = call.entry.flatMap({ target.appSession(of: $0.client) }) else {
            return arrival(at: target, call)
        }
        // Only `/authorize` asks the user what another maker's app may have.
        if let entry = call.entry, entry.client.openID.isThirdParty {
            return .seeOther(entry.address(of: "/authorize") + "&response_type=code&code_challenge_method=S256")
        }
        let code = try await handover.begin(app, from: browser, of: account, caller: call.caller)
        return arrival(at: target, code: code, call)
    }

    /// Ends the session that this browser held before; no cookie refers to it now.
    private func endReplaced(by successor: UUID, _ call: WebCall) async {
        guard let cookie = call.cookies[CookieName.session].flatMap(sessionCookies.parse),
            let old = try? await directory.check(cookie, at: directory.now)
        else { return }
        _ = try? await sessions.end(
            old.facts.session, of: old.facts.account, reason: "replaced", client: old.facts.clientID,
            successor: successor, caller: call.caller)
    }

    /// The answer to a request without a page: by the browser's session, or its absence.
    func silentAnswer(
        _ entry: WebEntry, _ fields: FormBody, _ call: inout WebCall
    ) async throws -> Response {
        if let session = try await session(&call) {
            if entry.isServed(by: session) { return arrival(at: entry.target, call) }
            if let answer = try await singleSignOn(session, entry, call) { return answer }
        }
        tellApp(of: WebRefusal.loginRequired, fields, &call)
        throw WebRefusal.loginRequired
    }

    /// The answer to an app that wants a code and that the browser's session serves; nil if the user must sign in.
    func singleSignOn(
        _ session: SessionSnapshot, _ entry: WebEntry, _ call: WebCall
    ) async throws(Rejection) -> Response? {
        guard entry.target.challenge != nil,
            SingleSignOn(session, for: entry.client, in: entry.target.dialect, at: directory.now) == .serves
        else { return nil }
        return try await handOver(session.facts.session, of: session.account.id, entry.target, call)
    }

    /// Sends the browser to the app's address with the requested parameters, or to one of our pages.
    ///
    /// `iss` names the issuer of the answer for the app (RFC 9207): that of the dialect in which it asked.
    func arrival(at target: LoginTarget, code: String? = nil, _ call: WebCall) -> Response {
        guard let uri = target.redirectURI, let client = call.entry?.client else {
            return .seeOther(target.returnPath?.text ?? "/account")
        }
        var parameters: [(name: String, value: String)] = []
        if let code {
            parameters += [("code", code), ("iss", client.issuer(in: target.dialect, at: ownOrigin))]
        }
        if let state = target.state { parameters.append(("state", state)) }
        return deliver(AuthorizationAnswer(parameters, for: client, at: uri, by: target.mode), call)
    }

    /// - Parameter form: the previous form, for pages that repeat some of its fields.
    func step(
        _ pending: PendingStep, _ entry: WebEntry, _ call: inout WebCall, after form: FormBody? = nil
    ) throws(Rejection) -> Response {
        switch pending.step {
        case .linkAccount(let masked):
            return show(
                linkPage(
                    pending.flow, entry, call,
                    providerName: call.logged.provider.flatMap { web.choice($0)?.name } ?? "",
                    maskedEmail: masked, username: "", problem: nil), call)
        case .confirmSignUp where flows.kind(of: pending.flow) == .signUp:
            return show(confirmPage(pending, entry, call), call)
        default: return try showStep(pending, entry, call, after: form)
        }
    }

    /// The link page after a wrong password; the form returns its texts.
    func linkPage(
        _ form: FormBody, _ entry: WebEntry, _ flow: String, _ problem: PageProblem, _ call: WebCall
    ) -> LinkPage? {
        guard let masked = form["masked_email"], let provider = form["link_provider"] else { return nil }
        return linkPage(
            flow, entry, call, providerName: web.choice(provider)?.name ?? "", maskedEmail: String(masked.prefix(254)),
            username: form["username"] ?? "", problem: problem, provider: provider)
    }

    private func linkPage(
        _ flow: String, _ entry: WebEntry, _ call: WebCall, providerName: String, maskedEmail: String,
        username: String, problem: PageProblem?, provider: String? = nil
    ) -> LinkPage {
        let used = provider ?? call.logged.provider ?? ""
        let ticket = tickets.seal(
            .init(client: entry.client.id, target: entry.target.asked, flow: flow, locales: entry.locales),
            for: call.browser, at: directory.now)
        return LinkPage(
            clientName: entry.client.name, providerName: providerName, maskedEmail: maskedEmail,
            hidden: hidden(
                call,
                entry.hidden + [
                    HiddenField(name: "link_flow", value: flow), HiddenField(name: "masked_email", value: maskedEmail),
                    HiddenField(name: "link_provider", value: used),
                ]),
            providers: web.choices(for: entry.client).filter { $0.id != used }.map { choice in
                ProviderButton(id: choice.id, name: choice.name, address: "/login/\(choice.id)?ticket=\(ticket)")
            },
            allowsPassword: entry.client.allows(provider: PasswordSignInService.provider),
            offersCode: allowsCode(entry.client), names: SignInNames(entry.client), username: username, problem: problem
        )
    }
}
