import Cryptography
import Foundation
import HTTPTypes
import Hummingbird
import JSON
import NIOCore
import Providers
import Sessions

/// What became of a message, from whoever delivers it: signed, and 204 whether the message is known or not.
extension RESTDoor {
    /// A path that nothing is configured for isn't there.
    func mountEvents(on router: Router<GatewayContext>) {
        if let secret = events.secret {
            router.post("v1/events/delivery") { try await deliveryEvent($0, $1, secret) }
        }
        if let twilio = events.twilio {
            router.post("\(TwilioCallback.path)") { try await twilioEvent($0, $1, twilio) }
        }
    }

    /// `POST /v1/events/delivery`: `{medium, id, state, reason?}` with `Gateway-Signature`.
    private func deliveryEvent(_ request: Request, _ context: GatewayContext, _ secret: Secret) async throws -> Response
    {
        try await answer("report_delivery", request, context) { call in
            let bytes = try await JSONBody.bytes(request)
            try Self.checkSignature(of: bytes, request, secret)
            let body = try JSONBody.object(bytes)
            guard let medium = Medium(rawValue: try body.required("medium", most: 16)) else {
                throw Rejection.invalidMember(pointer: "/medium", reason: "must_be_email_or_sms")
            }
            let id = try body.required("id", most: 1_000)
            guard try body.required("state", most: 16).hasSameBytes(as: "bounced") else {
                throw Rejection.invalidMember(pointer: "/state", reason: "must_be_bounced")
            }
            try await events.reports.bounced(
                medium, id: id, reason: try body.optional("reason"), caller: call.caller)
            return Response(status: .noContent)
        }
    }

    private static func checkSignature(
        of bytes: ByteBuffer, _ request: Request, _ secret: Secret
    ) throws(Rejection) {
        guard let name = HTTPField.Name(WebhookSignature.headerName), let signature = request.headers.value(name) else {
            throw .reportNotSigned
        }
        do throws(WebhookSignature.Fault) {
            try WebhookSignature.check(signature, of: Array(bytes.readableBytesView), secret: secret, at: Date())
        } catch {
            throw error == .outOfTime ? .reportOutOfTime : .reportNotSigned
        }
    }

    /// `POST /v1/events/twilio`: Twilio's form; what it says of a message on its way changes nothing.
    private func twilioEvent(
        _ request: Request, _ context: GatewayContext, _ twilio: TwilioCallback
    ) async throws -> Response {
        try await answer("report_delivery", request, context) { call in
            let form = try await FormBody.read(request)
            guard let name = HTTPField.Name(TwilioSignature.headerName),
                let signature = request.headers.value(name),
                TwilioSignature.holds(signature, url: twilio.url, fields: form.fields, token: twilio.token)
            else { throw Rejection.reportNotSigned }
            guard let id = form["MessageSid"] else {
                throw Rejection.invalidMember(pointer: "/MessageSid", reason: "required")
            }
            guard let status = form["MessageStatus"] else {
                throw Rejection.invalidMember(pointer: "/MessageStatus", reason: "required")
            }
            if ["failed", "undelivered"].contains(status) {
                let reason = [status, form["ErrorCode"]].compactMap(\.self).joined(separator: " ")
                try await events.reports.bounced(.sms, id: id, reason: reason, caller: call.caller)
            }
            return Response(status: .noContent)
        }
    }
}
