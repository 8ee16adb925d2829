import Authorization
import Clients
import Foundation
import HTTPServer
import Hummingbird
import JSON
import Pages
import Sessions
import SignIn
import Vocabulary

/// The pages on which a user allows or declines a device (RFC 8628 §3.3): the sign-in, the code, the question.
///
/// A GET changes nothing. The code of an address only fills the field.
struct OpenIDDevicePagesDoor: FrontDoor, HostedPages {
    let site: Site
    let devices: DeviceRequests
    let grants: AppGrants
    let raise: RaisingSessions

    static let path = "/device"

    func mount(on router: Router<GatewayContext>) {
        router.get("device", use: codePage)
        router.post("device", use: enterCode)
        router.post("device/answer", use: answerQuestion)
    }

    /// `GET /device`: the field for the code, after the sign-in.
    @Sendable func codePage(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("device_page", request, context) { call in
            call.hidesAddress = true
            let fields = try query(request)
            speak(fields["ui_locales"], &call)
            let code = fields["user_code"].flatMap(UserCode.init)
            guard let session = try await session(&call) else { return signIn(code, call) }
            return show(page(session, typed: code?.text ?? "", problem: nil, call), call)
        }
    }

    /// `POST /device`: the code that the user typed or confirmed.
    @Sendable func enterCode(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("enter_device_code", request, context) { call in
            call.hidesAddress = true
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let typed = form["user_code"] ?? ""
            guard let session = try await session(&call) else { return signIn(UserCode(typed), call) }
            let found: Found
            do throws(Rejection) {
                found = try await find(typed, session, call)
            } catch {
                guard let problem = PageProblem(deviceCode: error) else { throw error }
                record(error, call)
                let again = page(session, typed: String(typed.prefix(20)), problem: problem, call)
                return show(again, call, status: WebRefusal(error).status)
            }
            return try await proceed(found, session, &call)
        }
    }

    /// A request with its app and its code.
    struct Found {
        let request: DeviceRequest
        let client: Client
        let code: UserCode
        var canRaise = true
    }

    private func find(_ typed: String, _ session: SessionSnapshot, _ call: WebCall) async throws(Rejection) -> Found {
        let request = try await devices.find(typed, by: session.account.id, caller: call.caller)
        guard let client = clients.client(request.client), isAllowed(request, to: client), let code = UserCode(typed)
        else { throw .device(.userCodeInvalid) }
        return Found(request: request, client: client, code: code)
    }

    /// Whether the app may still ask for what its device asked.
    func isAllowed(_ request: DeviceRequest, to client: Client) -> Bool {
        client.usesDeviceFlow && clients.resources.allow(request.access.resources, to: client)
    }

    private func page(
        _ session: SessionSnapshot, typed: String, problem: PageProblem?, _ call: WebCall
    ) -> DeviceCodePage {
        DeviceCodePage(
            clientName: clientName(session), accountName: session.account.shownName, code: typed,
            hidden: hidden(call, Self.locales(call)),
            otherAddress: Self.loginAddress(UserCode(typed), client: entry, .choosing, call), problem: problem)
    }

    /// The app of the sign-in before a code is known; nil for the first app of the settings.
    private var entry: Client? { defaultClient == nil ? clients.firstWithDevices : nil }

    /// Leads to the sign-in page, which leads back with the code.
    func signIn(_ code: UserCode?, _ call: WebCall) -> Response {
        .seeOther(Self.loginAddress(code, client: entry, nil, call))
    }

    /// The same for a sign-in that the app of the code demands.
    func signIn(_ code: UserCode?, at client: Client, _ call: WebCall) -> Response {
        .seeOther(Self.loginAddress(code, client: client, .anew, call))
    }

    static func loginAddress(_ code: UserCode?, client: Client?, _ prompt: LoginPrompt?, _ call: WebCall) -> String {
        let parameters: [(String, String?)] = [
            ("client_id", client?.id), ("return_to", address(of: code)), ("prompt", prompt?.rawValue),
        ]
        return "/login".addingQuery(
            parameters.compactMap { name, value in value.map { (name, $0) } } + localesParameter(call.locales))
    }

    static func address(of code: UserCode?) -> String {
        path.addingQuery(code.map { [("user_code", $0.text)] } ?? [])
    }
}

extension AccountSummary {
    /// By which name a page addresses the user.
    var shownName: String { displayName ?? email ?? id.text }
}

extension PageProblem {
    /// The problem with a typed code; nil for other refusals.
    fileprivate init?(deviceCode rejection: Rejection) {
        let refusal = WebRefusal(rejection)
        switch rejection {
        case .device(.userCodeInvalid), .throttled, .overloaded: self.init(refusal.code, refusal.arguments)
        default: return nil
        }
    }
}
