import Clients
import HTTPServer
import Hummingbird
import Pages
import SignIn
import Vocabulary

/// The pages behind the link of an invitation.
struct WebInvitationDoor: FrontDoor, HostedPages {
    let site: Site
    let invitations: InvitationService

    func mount(on router: Router<GatewayContext>) {
        router.get("invitation", use: invitationPage)
        router.post("invitation", use: accept)
    }

    /// `GET /invitation?token=…`: shows the invited mailbox.
    ///
    /// It changes nothing, because mail scanners open links.
    @Sendable func invitationPage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("invitation_page", request, context) { call in
            // The address is the proof, so no other page may receive it.
            call.hidesAddress = true
            let fields = try query(request)
            speak(fields["ui_locales"], &call)
            let token = fields["token"] ?? ""
            let invitation = try await invitations.invitation(token)
            let page = InvitationPage(
                clientName: app(of: invitation)?.name ?? "", mailbox: invitation.mailbox,
                hidden: hidden(call, Self.locales(call) + [HiddenField(name: "token", value: token)]))
            return show(page, call)
        }
    }

    /// `POST /invitation`: proves the mailbox, and asks for a password where the app has passwords.
    @Sendable func accept(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("accept_invitation", request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let accepted = try await invitations.accept(form["token"] ?? "", caller: call.caller)
            guard let client = app(of: accepted) else { return show(Self.done("/account"), call) }
            let entry = WebEntry(
                client: client, target: try LoginTarget(.init(), client: client, ownOrigin: ownOrigin),
                locales: call.locales, loginHint: accepted.mailbox)
            call.setEntry(entry)
            guard Self.takesPassword(client) else { return show(Self.done(entry.address(of: "/login")), call) }
            let asked = SignInRequest(
                client: client, device: device(call), handing: entry.target.handing, caller: call.caller)
            return try await handle(try await invitations.choosePassword(accepted, asked), entry, &call)
        }
    }

    /// The app of the invitation, or the usual one; preferably one whose users may choose a password here.
    private func app(of invitation: InvitationService.Invitation) -> Client? {
        let known = [invitation.clientID, defaultClient].compactMap { $0.flatMap(clients.client) }
        return known.first(where: Self.takesPassword) ?? known.first
    }

    /// The sign-in ends on the account page, which is for apps with that permission.
    private static func takesPassword(_ client: Client) -> Bool {
        client.audiences.contains(.account) && client.allows(provider: PasswordSignInService.provider)
    }

    private static func done(_ address: String) -> NoticePage {
        NoticePage(
            code: "invitation_accepted", arguments: [:], requestID: nil,
            actions: [.init(key: "sign_in", address: address, isMain: true)])
    }
}
