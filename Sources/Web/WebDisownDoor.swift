import Accounts
import Clients
import HTTPServer
import Hummingbird
import Pages
import SignIn
import Telemetry
import Vocabulary

/// The page behind the link of a notice about a new device: "this wasn't me".
struct WebDisownDoor: FrontDoor, HostedPages {
    let site: Site
    let disowning: DisownService

    func mount(on router: Router<GatewayContext>) {
        router.get("not-me", use: disownPage)
        router.post("not-me", use: disown)
        router.post("not-me/remove", use: removeMethod)
        router.post("not-me/password", use: beginReset)
    }

    /// `GET /not-me?ticket=…`: shows the sign-in.
    ///
    /// It changes nothing, because mail scanners open links.
    @Sendable func disownPage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("disown_page", request, context) { call in
            // The address is the proof, so no other page may receive it.
            call.hidesAddress = true
            let fields = try query(request)
            speak(fields["ui_locales"], &call)
            let ticket = fields["ticket"] ?? ""
            return show(page(try await disowning.reported(ticket), ticket, call), call)
        }
    }

    /// `POST /not-me`: ends every session, and leads to a new password if the account has one.
    ///
    /// Where methods came since that sign-in, a page shows them first.
    @Sendable func disown(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("disown_session", request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            switch try await disowning.disown(form["ticket"] ?? "", caller: call.caller) {
            case .doneBefore: return show(Self.done("session_disowned_before"), call)
            case .stillMerged: return show(Self.done("session_disowned_merged"), call)
            case .done(let report) where !report.removed.isEmpty || !report.kept.isEmpty:
                return show(followUp(report, call), call)
            case .done(let report):
                guard let due = report.reset else { return show(Self.done("session_disowned"), call) }
                return try await reset(due, &call)
            }
        }
    }

    /// Begins the reset with the account's mailbox; the page for a forgotten password if that is refused.
    func reset(_ due: DisownReset, _ call: inout WebCall) async throws(Rejection) -> Response {
        guard let client = resettingClient(due.client) else { return show(Self.done("session_disowned_before"), call) }
        let entry = WebEntry(
            client: client, target: try LoginTarget(.init(), client: client, ownOrigin: ownOrigin),
            locales: call.locales)
        call.setEntry(entry)
        guard let mailbox = due.mailbox else { return .seeOther(entry.address(of: "/forgot")) }
        let asked = SignInRequest(
            client: client, device: device(call), handing: entry.target.handing,
            caller: call.caller)
        do throws(Rejection) {
            return try await handle(try await flows.begin(.forgottenPassword(name: mailbox), asked), entry, &call)
        } catch {
            // The sessions have ended; only the code is missing.
            record(error, call, as: "reset_password")
            return .seeOther(entry.address(of: "/forgot"))
        }
    }

    /// The app of the sign-in, if its users may open the account page; otherwise the usual one.
    private func resettingClient(_ id: String) -> Client? {
        let isFit = { (client: Client) in
            client.audiences.contains(.account) && client.allows(provider: PasswordSignInService.provider)
        }
        return [id, defaultClient].compactMap { $0.flatMap(clients.client) }.first(where: isFit)
    }

    private func page(_ reported: ReportedSignIn, _ ticket: String, _ call: WebCall) -> DisownPage {
        DisownPage(
            clientName: clients.client(reported.clientID)?.name ?? reported.clientID, at: RFC3339.text(reported.at),
            device: reported.userAgent.flatMap(UserAgent.known), address: reported.address,
            hasPassword: reported.hasPassword,
            hidden: hidden(call, Self.locales(call) + [HiddenField(name: "ticket", value: ticket)]))
    }

    private static func done(_ code: String) -> NoticePage {
        NoticePage(
            code: code, arguments: [:], requestID: nil,
            actions: [.init(key: "to_account", address: "/account", isMain: true)])
    }
}
