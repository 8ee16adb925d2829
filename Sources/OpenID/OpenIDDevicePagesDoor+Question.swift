import Authorization
import Clients
import Foundation
import HTTPServer
import Hummingbird
import Pages
import Sessions
import SignIn
import Vocabulary

/// The question whether a device may sign in, and its answer.
extension OpenIDDevicePagesDoor {
    /// Asks, or first lets the user prove more.
    func proceed(_ found: Found, _ session: SessionSnapshot, _ call: inout WebCall) async throws -> Response {
        switch decision(found.request, found.client, session, canRaise: found.canRaise) {
        case .ask: return ask(found, session, &call)
        case .signIn: return signIn(found.code, at: found.client, call)
        case .refuse: throw Rejection.providerNotAllowed(nil, offered: found.client.providers)
        case .raise:
            do throws(Rejection) {
                return try await raise(
                    session, LoginTarget.Asked(returnTo: Self.address(of: found.code)), &call)
            } catch .noSecondFactor {
                var found = found
                found.canRaise = false
                return try await proceed(found, session, &call)
            }
        }
    }

    private func decision(
        _ request: DeviceRequest, _ client: Client, _ session: SessionSnapshot, canRaise: Bool = true
    ) -> DeviceDecision {
        DeviceDecision(session, for: client, begun: request.begun, canRaise: canRaise, now: directory.now)
    }

    private func ask(_ found: Found, _ session: SessionSnapshot, _ call: inout WebCall) -> Response {
        let (request, account) = (found.request, session.account)
        call.logged.clientID = found.client.id
        let reference = devices.reference(to: request, asking: account.id)
        let fields = hidden(call, Self.locales(call) + [HiddenField(name: "r", value: reference)])
        let page = DevicePage(
            clientName: found.client.name, code: found.code.text, accountName: account.shownName,
            age: "\(max(1, Int(directory.now.timeIntervalSince(request.begun))))", address: request.address ?? "",
            device: request.userAgent.flatMap(UserAgent.known),
            scopes: TokenScope.own.filter(request.access.scopes.contains).map(\.rawValue),
            resources: ConsentPage.Resource.all(request.access.resources, among: clients.resources), hidden: fields,
            otherAddress: Self.loginAddress(found.code, client: found.client, .choosing, call))
        return show(page, call)
    }

    /// `POST /device/answer`: the form of that page, bound to the browser, the account and the request.
    @Sendable func answerQuestion(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("answer_device", request, context) { call in
            call.hidesAddress = true
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            guard let session = try await session(&call) else { return signIn(nil, call) }
            // Another user may have signed in since the page was shown: the reference names the account that was asked.
            guard let asked = try await devices.open(form["r"] ?? "", asking: session.account.id),
                let client = clients.client(asked.client), isAllowed(asked, to: client)
            else { throw Rejection.flowExpired }
            call.logged.clientID = client.id
            guard form["decision"] == "allow" else {
                try await devices.decline(asked, by: session, caller: call.caller)
                return notice("device_declined", call)
            }
            guard decision(asked, client, session) == .ask else { throw Rejection.flowExpired }
            try await allow(asked, client, form, session, call)
            return notice("device_allowed", call)
        }
    }

    private func allow(
        _ asked: DeviceRequest, _ client: Client, _ form: FormBody, _ session: SessionSnapshot, _ call: WebCall
    ) async throws(Rejection) {
        let granted = asked.access.keeping { form["scope_\($0)"] != nil }
        if client.openID.isThirdParty {
            try await grants.grant(granted, by: session, to: client, caller: call.caller)
        }
        try await devices.allow(asked, granted, of: client, by: session, caller: call.caller)
    }

    private func notice(_ code: String, _ call: WebCall) -> Response {
        let devices = NoticePage.Action(key: "to_account", address: "/account/devices", isMain: false)
        return show(NoticePage(code: code, arguments: [:], requestID: nil, actions: [devices]), call)
    }
}
