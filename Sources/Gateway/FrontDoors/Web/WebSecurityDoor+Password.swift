import Accounts
import Foundation
import Hummingbird
import Sessions

/// What protects the account of whoever is signed in.
extension WebSecurityDoor {
    /// `POST /account/password`.
    @Sendable func changePassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("change_password", request, context) {
            (form, session, call) async throws(Rejection) in
            try await passwordChange.change(
                from: form["current_password"], to: form["new_password"] ?? "", session: session, caller: call.caller)
            return done("password_changed", form)
        }
    }

    /// `POST /account/devices/{id}/forget`: from now on the second factor is asked there again.
    @Sendable func forgetDevice(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("forget_device", request, context) { (form, session, call) async throws(Rejection) in
            try await pages.factors.forget(try Self.pathID(context), session: session, caller: call.caller)
            return done("device_forgotten", form)
        }
    }
}
