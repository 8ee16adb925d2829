import Accounts
import Foundation
import Hummingbird
import JSON
import Sessions

/// `/account`: who am I, the ways in, the devices.
extension WebDoor {
    @Sendable func accountPage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("account_page", request, context) { call in
            let fields = try query(request)
            guard let session = try await accountSession(&call) else { return .seeOther(loginAddress(fields)) }
            speak(fields["ui_locales"], &call)
            let done = fields["done"].flatMap { AccountDeed(rawValue: $0)?.rawValue }
            return show(try await accountPage(session, call, done: done), call)
        }
    }

    /// `POST /account/profile`: another name, or none.
    @Sendable func saveProfile(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changing("change_account", request, context, done: "saved") {
            (form, session, call) async throws(Rejection) in
            let name = form["display_name"] ?? ""
            let sent: JSONObject = ["display_name": name.isEmpty ? .null : .string(name)]
            _ = try await accounts.change(sent, session: session, caller: call.caller)
        }
    }

    /// `POST /account/identities/{id}/unlink`.
    @Sendable func unlinkIdentity(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("unlink_identity", request, context) {
            (form, session, call) async throws(Rejection) in
            try await accounts.unlink(try Self.pathID(context), session: session, caller: call.caller)
            return done("unlinked", form)
        }
    }

    /// `POST /account/sessions/{id}/end`.
    @Sendable func endSession(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changing("end_session", request, context, done: "ended") {
            (_, session, call) async throws(Rejection) in
            let ended = try await sessions.end(
                try Self.pathID(context), of: session.facts.account, reason: "ended_by_owner",
                client: session.facts.clientID, caller: call.caller)
            guard ended else { throw .notFound }
        }
    }

    /// `POST /logout`: `scope` is `local` or `global`.
    @Sendable func signOut(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("sign_out", request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let isGlobal = form["scope"] == "global"
            if let session = try await session(&call) {
                let facts = session.facts
                if isGlobal {
                    // The sessions of other apps end too.
                    try clients.require(.account, of: session)
                    try await sessions.endAll(
                        of: facts.account, asking: facts.session, client: facts.clientID, caller: call.caller)
                } else {
                    try await sessions.end(
                        facts.session, of: facts.account, reason: "signed_out", client: facts.clientID,
                        caller: call.caller)
                }
            }
            call.setCookies.removeAll { $0.name == CookieName.session }
            call.setCookies.append(.removed(CookieName.session))
            return show(
                NoticePage(
                    code: isGlobal ? "signed_out_everywhere" : "signed_out", arguments: [:], requestID: nil,
                    actions: [.init(key: "sign_in", address: "/login", isMain: true)]), call)
        }
    }

    /// A change of one's own account; what goes wrong is said on the page.
    private func changing(
        _ action: String, _ request: Request, _ context: GatewayContext, done: String,
        _ body: (FormBody, SessionSnapshot, WebCall) async throws(Rejection) -> Void
    ) async throws -> Response {
        try await answer(action, request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let session = try await demandedAccountSession(&call)
            do throws(Rejection) {
                try await body(form, session, call)
                return .seeOther(
                    "/account".addingQuery([("done", done)] + Self.localesParameter(form["ui_locales"])))
            } catch {
                guard let problem = PageProblem(ofAccount: error) else { throw error }
                record(action, WebRefusal(error), call)
                return show(
                    try await accountPage(session, call, problem: problem), call, status: WebRefusal(error).status)
            }
        }
    }

    func accountPage(
        _ session: SessionSnapshot, _ call: WebCall, done: String? = nil, problem: PageProblem? = nil
    ) async throws(Rejection) -> AccountPage {
        let facts = session.facts
        let identities = try await accounts.identities(of: facts.account)
        let devices = try await sessions.list(account: facts.account)
        let account = session.account
        return AccountPage(
            name: account.displayName, email: account.email, accountID: account.id.text,
            hasPassword: try await accounts.hasPassword(facts.account),
            identities: identities.map { identity in
                .init(
                    id: identity.id.text, provider: identity.provider,
                    providerName: signIn.providerName(identity.provider), email: identity.email,
                    linkedAt: RFC3339.text(identity.linkedAt))
            },
            linkable: linkable(session, call, identities), addresses: try await addressList(session),
            security: try await security(session),
            devices: devices.map { device($0, isCurrent: $0.id == facts.session) },
            merges: try await merges(session), privacy: try await privacy(session),
            hidden: hidden(call, Self.locales(call)), done: done, problem: problem)
    }

    /// Links that this browser alone can follow, to the providers that the account has no identity of.
    private func linkable(
        _ session: SessionSnapshot, _ call: WebCall, _ identities: [LinkedIdentity]
    ) -> [ProviderButton] {
        guard let client = clients.client(session.facts.clientID) else { return [] }
        let ticket = tickets.seal(
            .init(
                client: client.id, target: .init(), intent: .link(session: session.facts.session),
                locales: call.locales), for: call.browser, at: directory.now)
        return web.choices(for: client).filter { choice in !identities.contains { $0.provider == choice.id } }
            .map { ProviderButton(id: $0.id, name: $0.name, address: "/login/\($0.id)?ticket=\(ticket)") }
    }

    private func device(_ session: DeviceSession, isCurrent: Bool) -> AccountPage.Device {
        let clientName = clients.client(session.clientID)?.name ?? session.clientID
        return .init(
            id: session.id.text, name: session.deviceName ?? session.userAgent.map(UserAgent.name) ?? clientName,
            clientName: clientName, address: session.address,
            lastUsedAt: RFC3339.text(session.lastUsedAt), isCurrent: isCurrent)
    }

    /// The page of a person in another language, where they asked for one.
    func speak(_ locales: String?, _ call: inout WebCall) {
        guard let locales, locales.utf8.count <= 128 else { return }
        call.locales = locales
        call.language = Language.preferred(
            uiLocales: locales, acceptLanguage: call.headers.value(.acceptLanguage))
    }

    private func loginAddress(_ fields: FormBody) -> String {
        "/login".addingQuery(Self.localesParameter(fields["ui_locales"]))
    }

    static func localesParameter(_ locales: String?) -> [(name: String, value: String)] {
        locales.map { [("ui_locales", String($0.prefix(128)))] } ?? []
    }

    static func pathID(_ context: GatewayContext) throws(Rejection) -> UUID {
        guard let id = context.parameters.get("id").flatMap(UUID.init(uuidString:)) else { throw .notFound }
        return id
    }
}

extension PageProblem {
    /// What stands in the way of a change on the account page; nil for what has a page of its own.
    fileprivate init?(ofAccount rejection: Rejection) {
        switch rejection {
        case .lastCredential, .identityInUse, .undoOver, .undoBlocked, .deletionWaits: self.init(rejection.code)
        case .invalidMember("/display_name", _): self.init("display_name_invalid")
        default: return nil
        }
    }
}
