import HTTPServer
import Hummingbird
import Pages
import SignIn
import Vocabulary

/// The user's own e-mail addresses and phone numbers.
extension WebSecurityDoor {
    /// `POST /account/addresses`: `type` is `email` or `phone`.
    ///
    /// It sends a code to the posted address, or asks for an address.
    @Sendable func addAddress(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("add_address", in: .profile, request, context) {
            (form, session, call) async throws(Rejection) in
            let kind: StepPage.Kind
            switch form["type"] {
            case "email": kind = .newAddress
            case "phone" where sendsTexts: kind = .newNumber
            default: throw .invalidField(.kind, .unknown)
            }
            let typed = kind == .newAddress ? form["email"] : form["phone"]
            guard let typed else { return show(try askingPage(kind, .newAddress, form, session, call), call) }
            return try await asking(kind, .newAddress, form, session, call) { () async throws(Rejection) in
                let pending = try await pages.addresses.begin(typed, session: session, caller: call.caller)
                return show(try accountStep(pending, form, session, call), call)
            }
        }
    }

    /// `POST /account/addresses/confirm`: checks the mailed or texted code.
    @Sendable func confirmAddress(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("confirm_address", in: .profile, request, context) {
            (form, session, call) async throws(Rejection) in
            do throws(Rejection) {
                try await pages.addresses.confirm(
                    flow: form["flow"] ?? "", response: StepResponse(.code(form["code"] ?? "")), session: session,
                    caller: call.caller)
                return done(.addressAdded, form)
            } catch {
                return try await askedAgain(form, session, error, call)
            }
        }
    }

    /// `POST /account/addresses/prefer`: chooses the main address of the account.
    @Sendable func preferAddress(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("prefer_address", in: .profile, request, context) {
            (form, session, call) async throws(Rejection) in
            try await pages.addresses.prefer(form["address"] ?? "", session: session, caller: call.caller)
            return done(.addressPreferred, form)
        }
    }

    /// `POST /account/addresses/remove`.
    @Sendable func removeAddress(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("remove_address", in: .profile, request, context) {
            (form, session, call) async throws(Rejection) in
            try await pages.addresses.remove(form["address"] ?? "", session: session, caller: call.caller)
            return done(.addressRemoved, form)
        }
    }
}
