import Foundation
import HTTPServer
import Hummingbird
import Pages
import SignIn
import Vocabulary

/// The password and the remembered devices of the signed-in user.
extension WebSecurityDoor {
    /// `POST /account/password`.
    @Sendable func changePassword(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("change_password", in: .signInMethods, request, context) {
            (form, session, call) async throws(Rejection) in
            try await passwordChange.change(
                from: form["current_password"], to: form["new_password"] ?? "", session: session, caller: call.caller)
            return done(.passwordChanged, form)
        }
    }

    /// `POST /account/devices/{id}/forget`: the device must present a second factor again.
    @Sendable func forgetDevice(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await changingSecurity("forget_device", in: .devices, request, context) {
            (form, session, call) async throws(Rejection) in
            try await pages.factors.forget(try Self.pathID(context), session: session, caller: call.caller)
            return done(.deviceForgotten, form)
        }
    }
}
