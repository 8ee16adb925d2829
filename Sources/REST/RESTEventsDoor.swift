import Accounts
import HTTPServer
import HTTPTypes
import Hummingbird
import JSON
import Messages
import NIOCore

/// External reports: bounced messages, and account events of a provider.
///
/// Each report is signed. The answer is the same for a known and an unknown message or user.
struct RESTEventsDoor: RESTDoor {
    let calls: RESTCalls
    let reports: DeliveryReports
    let notifications: ProviderNotifications

    /// An unconfigured path does not exist.
    func mount(on router: Router<GatewayContext>) {
        if reports.areTaken { router.post("v1/events/delivery", use: reportDelivery) }
        if reports.areTakenFromTwilio { router.post(RouterPath(TwilioCallback.path), use: reportTwilio) }
        for provider in notifications.senders {
            router.post("v1/events/\(provider)") { try await takeNotification(of: provider, $0, $1) }
        }
    }

    /// `POST /v1/events/{provider}`: in the provider's own form; 200 after all its changes have taken effect.
    private func takeNotification(
        of provider: String, _ request: Request, _ context: GatewayContext
    ) async throws -> Response {
        try await answer("provider_notification", request, context) { call in
            call.provider = provider
            let bytes = try await JSONBody.bytes(request)
            guard bytes.readableBytes <= ProviderNotifications.longestBody else { throw Problem.bodyTooLarge }
            try await notifications.take(try JSONBody.object(bytes), from: provider, caller: call.caller)
            return Response(status: .ok)
        }
    }

    /// `POST /v1/events/delivery`: `{medium, id, state, reason?}` with `Gateway-Signature`.
    @Sendable func reportDelivery(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("report_delivery", request, context) { call in
            let bytes = try await JSONBody.bytes(request)
            try reports.check(request.headers.value(.gatewaySignature), of: Array(bytes.readableBytesView))
            let body = try JSONBody.object(bytes)
            guard let medium = Medium(rawValue: try body.required("medium", most: 16)) else {
                throw Problem.invalidMember("/medium", "must_be_email_or_sms")
            }
            let id = try body.required("id", most: 1_000)
            guard try body.required("state", most: 16).hasSameBytes(as: "bounced") else {
                throw Problem.invalidMember("/state", "must_be_bounced")
            }
            try await reports.bounced(medium, id: id, reason: try body.optional("reason"), caller: call.caller)
            return Response(status: .noContent)
        }
    }

    /// `POST /v1/events/twilio`: Twilio's form; a report of a message in transit changes nothing.
    @Sendable func reportTwilio(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answer("report_delivery", request, context) { call in
            let form = try await FormBody.read(request)
            try reports.check(twilio: request.headers.value(.twilioSignature), fields: form.fields)
            let id = try form.required("MessageSid")
            let status = try form.required("MessageStatus")
            if ["failed", "undelivered"].contains(status) {
                let reason = [status, form["ErrorCode"]].compactMap(\.self).joined(separator: " ")
                try await reports.bounced(.sms, id: id, reason: reason, caller: call.caller)
            }
            return Response(status: .noContent)
        }
    }
}

extension HTTPField.Name {
    fileprivate static let gatewaySignature = known(DeliveryReports.signatureHeader)
    fileprivate static let twilioSignature = known(DeliveryReports.twilioSignatureHeader)
}
