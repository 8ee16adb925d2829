import Accounts
import Clients
import HTTPServer
import Hummingbird
import JSON
import Pages
import Sessions
import SignIn
import Vocabulary
import WebAuthn

/// The offer of a passkey, once for each browser, after a sign-in with a password.
extension WebSignInDoor {
    /// As ``HostedPages/handle(_:_:_:after:)``; a browser that can hold a passkey is offered one first.
    func finish(
        _ outcome: SignInOutcome, _ entry: WebEntry, _ form: FormBody, _ call: inout WebCall
    ) async throws(Rejection) -> Response {
        guard case .signedIn(let signedIn) = outcome, isOffered(signedIn, entry, form, call),
            let page = try? await offer(signedIn, entry, call)
        else { return try await handle(outcome, entry, &call, after: form) }
        await keep(signedIn, &call)
        call.setCookies.append(
            SetCookie(name: CookieName.passkeyOffer, value: "1", sameSite: .lax, life: 31_536_000))
        return show(page, call)
    }

    private func isOffered(_ signedIn: SignedIn, _ entry: WebEntry, _ form: FormBody, _ call: WebCall) -> Bool {
        signedIn.method == PasswordSignInService.provider && form[PasskeyOfferPage.field] == "true"
            && call.cookies[CookieName.passkeyOffer] == nil && !call.isImpersonating
            && entry.client.audiences.contains(.account) && flows.passkeyOffer(for: entry.client) != nil
    }

    /// Nil for an account with a passkey.
    private func offer(
        _ signedIn: SignedIn, _ entry: WebEntry, _ call: WebCall
    ) async throws(Rejection) -> PasskeyOfferPage? {
        guard case .cookie(let value, _) = signedIn.session, let cookie = sessionCookies.parse(value) else {
            return nil
        }
        let session = try await directory.check(cookie, at: directory.now)
        guard try await factors.factors(of: session).passkeys.isEmpty else { return nil }
        return offerPage(try await factors.begin(.passkey, session: session, caller: call.caller), entry, call)
    }

    private func offerPage(
        _ pending: PendingStep, _ entry: WebEntry, _ call: WebCall, problem: PageProblem? = nil
    ) -> PasskeyOfferPage? {
        guard case .passkeySetUp(let options) = pending.step else { return nil }
        return PasskeyOfferPage(
            clientName: entry.client.name,
            hidden: hidden(call, entry.hidden + [HiddenField(name: "flow", value: pending.flow)]),
            options: options.json.text, problem: problem)
    }

    /// `POST /login/passkey`: adds the offered passkey, then goes on.
    @Sendable func takeOffer(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("confirm_factor", request, context) { call in
            let form = try await form(request, call)
            let entry = try entry(form, &call)
            let session = try await demandedAccountSession(&call)
            do throws(Rejection) {
                _ = try await factors.confirm(
                    flow: form["flow"] ?? "", response: namedFactor(form, call), session: session, caller: call.caller)
                return try await didAdd(session, entry, call)
            } catch {
                guard let problem = PageProblem(step: error, .passkeySetUp),
                    let page = offerPage(
                        try await flows.waiting(flowCall(form, entry, call)), entry, call, problem: problem)
                else { throw error }
                record(error, call)
                return show(page, call, status: WebRefusal(error).status)
            }
        }
    }

    /// Goes on, to the passkey with its confirmation if no destination waits.
    private func didAdd(
        _ session: SessionSnapshot, _ entry: WebEntry, _ call: WebCall
    ) async throws(Rejection) -> Response {
        guard entry.target.redirectURI == nil, entry.target.returnPath == nil else {
            return try await goOn(session, entry, call)
        }
        return .seeOther(AccountNotice.passkeyAdded.address(in: nil, Self.localesParameter(call.locales)))
    }
}
