import Foundation
import HTTPServer
import HTTPTypes
import Hummingbird
import Logging
import Pages
import Sessions
import SignIn
import Vocabulary

/// Redirects to a provider.
extension WebProviderDoor {
    /// `GET /login/{provider}`: 303 to the provider, with the cookie of the flow.
    @Sendable func startRedirect(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("start_redirect", request, context) { call in
            guard !site.settings.demandsSecureTransport || context.isSecure else {
                context.logger.warning(
                    "a sign-in can't start: the visitor's connection doesn't count as https; see TRUSTED_PROXIES",
                    metadata: ["header": "\(ForwardedClient.reportedProtocols(request.headers))"])
                throw WebRefusal(code: "insecure_transport")
            }
            guard FetchMetadata.isNavigation(request.headers) else { throw WebRefusal(code: "form_not_bound") }
            let fields = try query(request)
            let (entry, ticket) = try order(fields, &call)
            let choice = try provider(context, &call)
            if entry.prompt.contains(.silent) { return try await silentAnswer(entry, fields, &call) }
            if let ticket, case .link(let asking) = ticket.intent, let instead = try await checkLinking(asking, &call) {
                return instead
            }
            let redirection = try await web.begin(
                .init(
                    provider: choice.id, client: entry.client, target: entry.target,
                    intent: ticket?.intent ?? .signIn, linkFlow: ticket?.flow, locales: entry.locales,
                    isReauthentication: entry.prompt.asksAnew))
            forgetOldFlows(&call)
            call.setCookies.append(
                SetCookie(
                    name: redirection.cookie.name, value: redirection.cookie.value, sameSite: .none,
                    life: WebFlow.life))
            return .seeOther(redirection.address)
        }
    }

    /// Checks a linking request before the redirect instead of after it.
    ///
    /// Returns the step of a second factor if one is due.
    private func checkLinking(_ asking: UUID, _ call: inout WebCall) async throws(Rejection) -> Response? {
        guard let session = try await session(&call), session.facts.session == asking else { throw .sessionEnded() }
        do throws(Rejection) {
            try await accounts.requireLinking(session)
            return nil
        } catch .stepUpRequired {
            return try await raise(session, to: .init(), &call)
        } catch {
            throw error
        }
    }

    /// The parameters of the request, or the ticket of one of our own pages.
    private func order(
        _ fields: FormBody, _ call: inout WebCall
    ) throws(Rejection) -> (WebEntry, WebTickets.Ticket?) {
        guard let text = fields["ticket"] else { return (try entry(fields, &call), nil) }
        return try ticketed(text, &call)
    }
}
