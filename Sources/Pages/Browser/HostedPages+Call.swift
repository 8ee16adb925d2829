import Clients
import Foundation
package import HTTPServer
package import HTTPTypes
package import Hummingbird
package import Sessions
package import SignIn
package import Vocabulary

extension HostedPages {
    /// Answers a call.
    ///
    /// A refusal becomes a page. If the app's own request caused it, the browser carries it to the app instead.
    package func answer(
        _ action: String, _ request: Request, _ context: GatewayContext,
        _ body: (inout WebCall) async throws -> Response
    ) async throws -> Response {
        var call = WebCall(action, request, context, forms)
        var response = try await log.answer(&call, body) { error, _ in
            guard let refusal = WebRefusal(error) else { throw error }
            return RefusedCall(refusal.code, of: error as? Rejection) { call in
                call.refusal.map { deliver($0.answer, call) } ?? notice(refusal, call)
            }
        }
        for cookie in call.cookiesToSet { response.headers.append(cookie.field) }
        return response
    }

    /// Carries an answer to the app: by a redirect, or by a form that our page posts.
    package func deliver(_ answer: AuthorizationAnswer, _ call: WebCall) -> Response {
        if let address = answer.address { return .seeOther(address) }
        var call = call
        call.formTargets = { answer.client.formTargets(endingAt: answer.redirectURI) }
        call.hidesAddress = true
        let hidden = answer.parameters.map { HiddenField(name: $0.name, value: $0.value) }
        return show(RepostPage(action: answer.redirectURI.text, hidden: hidden), call)
    }

    /// Records a refusal that the page shows above its form.
    package func record(_ rejection: Rejection, _ call: WebCall, as action: String? = nil) {
        log.refused(rejection.code, of: rejection, as: action, call.logged)
    }

    /// Reads a form of ours and checks that it comes from this browser.
    package func form(_ request: Request, _ call: WebCall) async throws -> FormBody {
        let form = try await FormBody.read(request)
        guard !FetchMetadata.isForeign(request.headers, ownOrigin: ownOrigin),
            forms.holds(form[FormTokens.field], for: call.cookies[CookieName.form])
        else { throw WebRefusal(code: "form_not_bound") }
        return form
    }

    /// The fields that every form of a page carries.
    package func hidden(_ call: WebCall, _ fields: [HiddenField] = []) -> [HiddenField] {
        [HiddenField(name: FormTokens.field, value: forms.token(for: call.browser))] + fields
    }

    package func query(_ request: Request) throws(Problem) -> FormBody {
        try FormBody(Array((request.uri.query ?? "").utf8))
    }

    package func entry(_ fields: FormBody, _ call: inout WebCall) throws(Rejection) -> WebEntry {
        do throws(Rejection) {
            let entry = try WebEntry(fields, clients: clients, defaultClient: defaultClient, ownOrigin: ownOrigin)
            call.setEntry(entry)
            return entry
        } catch {
            tellApp(of: error, fields, &call)
            throw error
        }
    }

    /// Lets the app's address show a refusal of its own request, if it may.
    package func tellApp(of refusal: any Error, _ fields: FormBody, _ call: inout WebCall) {
        call.refusal = AuthorizationRefusal(
            refusal, of: fields, clients: clients, defaultClient: defaultClient, publicURL: ownOrigin)
        let known = fields["client_id"].flatMap { clients.client($0)?.id }
        if let client = call.refusal?.clientID ?? known { call.logged.clientID = client }
    }

    /// The session of this browser; nil if it has none or the session ended.
    ///
    /// - Parameter isHarmless: see ``DoorCall/isBy(_:isHarmless:)``.
    package func session(
        _ call: inout WebCall, isHarmless: Bool = false
    ) async throws(Rejection) -> SessionSnapshot? {
        guard let cookie = call.cookies[CookieName.session].flatMap(sessionCookies.parse) else { return nil }
        do throws(Rejection) {
            let session = try await directory.check(cookie, at: directory.now)
            try call.isBy(session, isHarmless: isHarmless)
            return session
        } catch {
            guard case .sessionEnded = error else { throw error }
            call.setCookies.append(.removed(CookieName.session))
            return nil
        }
    }

    /// The session of this browser, if its app may manage the account.
    package func accountSession(_ call: inout WebCall) async throws(Rejection) -> SessionSnapshot? {
        guard let session = try await session(&call) else { return nil }
        try clients.require(.account, of: session)
        return session
    }

    /// The session of this browser, or a refusal without one.
    package func demandedSession(_ call: inout WebCall) async throws(Rejection) -> SessionSnapshot {
        let showsOne = call.cookies[CookieName.session].flatMap(sessionCookies.parse) != nil
        guard let session = try await session(&call) else { throw showsOne ? .sessionEnded() : .cookieMalformed }
        return session
    }

    /// The session of this browser for managing the account, or a refusal without one.
    package func demandedAccountSession(_ call: inout WebCall) async throws(Rejection) -> SessionSnapshot {
        let session = try await demandedSession(&call)
        try clients.require(.account, of: session)
        return session
    }

    package func show(_ page: some Page, _ call: WebCall, status: HTTPResponse.Status = .ok) -> Response {
        let brand = brand(call)
        let html = renderer.render(
            page, call.language, brand: brand, botWidget: call.botWidget,
            impersonation: call.isImpersonating ? ImpersonationBar(hidden: hidden(call)) : nil,
            requestID: call.caller.requestID)
        guard let html else {
            return .withoutPage(call, publicURL: ownOrigin)
        }
        return Response.page(
            html, status: status, formTargets: call.formTargets(), images: brand?.imageSources ?? [],
            hidesAddress: call.hidesAddress, widget: call.botWidget?.kind.sources)
    }

    /// The brand of the call's app, if it has one.
    private func brand(_ call: WebCall) -> PageBrand? {
        let client = call.entry?.client ?? (call.logged.clientID ?? defaultClient).flatMap(clients.client)
        return client?.brand.map(PageBrand.init)
    }
}

extension Response {
    /// A page with the headers that every page has.
    ///
    /// - Parameters:
    ///   - formTargets: origins or schemes that the page's forms may finally lead to. Browsers apply the same rule to
    ///     redirects after a form.
    ///   - images: the addresses of images on other hosts.
    ///   - hidesAddress: whether to keep this page's address from every later page.
    ///   - isLive: whether a script of the page listens to the server.
    ///   - widget: the sources of a bot check.
    package static func page(
        _ html: [UInt8], status: HTTPResponse.Status, formTargets: [String], images: [String] = [],
        hidesAddress: Bool, isLive: Bool = false, frames: PageFrames = .none,
        widget: BotWidgetSources? = nil
    ) -> Response {
        var headers = pageHeaders(
            formTargets: formTargets, images: images, hidesAddress: hidesAddress, isLive: isLive, frames: frames,
            widget: widget)
        headers.append(HTTPField(name: .vary, value: "Cookie, Accept-Language"))
        headers.append(HTTPField(name: .cacheControl, value: "no-store"))
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: html)))
    }

    /// The headers that restrict a page, without those about caching.
    package static func pageHeaders(
        formTargets: [String] = [], images: [String] = [], hidesAddress: Bool = false, isLive: Bool = false,
        frames: PageFrames = .none, widget: BotWidgetSources? = nil
    ) -> HTTPFields {
        let targets = (["'self'"] + formTargets).joined(separator: " ")
        let images = (["'self'"] + images).joined(separator: " ")
        let connections =
            isLive ? " connect-src 'self';" : widget.map { Self.more("connect-src", $0.connections) } ?? ""
        let inFrames = widget.map { Self.more("frame-src", $0.frames) } ?? frames.own
        var headers = fixedPageHeaders
        let policy =
            "default-src 'none'; style-src 'self'\(Self.joined(widget?.styles)); script-src 'self'\(Self.joined(widget?.scripts)); img-src \(images);\(connections)\(inFrames) form-action \(targets); frame-ancestors \(frames.ancestors); base-uri 'none'"
        headers.append(HTTPField(name: .contentSecurityPolicy, value: policy))
        headers.append(HTTPField(name: .referrerPolicy, value: hidesAddress ? "no-referrer" : "same-origin"))
        headers.append(HTTPField(name: .xFrameOptions, value: frames.options))
        return headers
    }

    /// Checked once: each header of a page would be checked anew for every view.
    private static let fixedPageHeaders: HTTPFields = [
        .contentType: "text/html; charset=utf-8", .openerPolicy: "same-origin", .resourcePolicy: "same-origin",
        .permissionsPolicy: permissions,
    ]

    private static func joined(_ sources: [String]?) -> String { (sources ?? []).map { " \($0)" }.joined() }

    private static func more(_ directive: String, _ sources: [String]) -> String {
        sources.isEmpty ? "" : " \(directive)\(joined(sources));"
    }

    /// Allows only passkeys; browsers decide about features such as `unload`.
    private static let permissions =
        (["publickey-credentials-create", "publickey-credentials-get"].map { "\($0)=(self)" }
        + [
            "accelerometer", "browsing-topics", "camera", "display-capture", "geolocation", "gyroscope", "hid",
            "identity-credentials-get", "idle-detection", "local-fonts", "magnetometer", "microphone", "midi",
            "otp-credentials", "payment", "screen-wake-lock", "serial", "usb", "xr-spatial-tracking",
        ].map { "\($0)=()" }).joined(separator: ", ")

    /// The answer if no page can be shown.
    package static func withoutPage(_ call: WebCall, publicURL: String) -> Response {
        Problem.internalError.response(requestID: call.caller.requestID, publicURL: publicURL)
    }
}

/// The frames around and in a page.
package enum PageFrames: Sendable {
    case none
    /// A page of ours may frame it.
    case framed
    /// It frames a page of ours.
    case framing

    fileprivate var own: String { self == .framing ? " frame-src 'self';" : "" }
    fileprivate var ancestors: String { self == .framed ? "'self'" : "'none'" }
    fileprivate var options: String { self == .framed ? "SAMEORIGIN" : "DENY" }
}

extension HTTPField.Name {
    static let xFrameOptions = known("X-Frame-Options")
    static let openerPolicy = known("Cross-Origin-Opener-Policy")
    static let resourcePolicy = known("Cross-Origin-Resource-Policy")
    static let permissionsPolicy = known("Permissions-Policy")
}
