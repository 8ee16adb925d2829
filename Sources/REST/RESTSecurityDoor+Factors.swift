import HTTPServer
import Hummingbird
import JSON
import Sessions
import SignIn
import Vocabulary

/// The user's own factors: second factors, and factors that replace a password.
extension RESTSecurityDoor {
    /// `GET /v1/account/factors`.
    @Sendable func listFactors(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("list_factors", request, context) { _, session in
            .json(try await ownFactors(session))
        }
    }

    private func ownFactors(_ session: SessionSnapshot) async throws -> JSON {
        RESTFactors.json(
            try await factors.factors(of: session), removalDue: try await factors.removalDue(of: session))
    }

    /// `DELETE /v1/account/factor-removal`: cancels the removal that an operator requested.
    @Sendable func keepFactors(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("keep_factors", request, context) { call, session in
            try await factors.keep(session, caller: call.caller)
            return Response(status: .noContent)
        }
    }

    /// `POST /v1/account/factors`: `{type, email?, phone?}`; the caller proves the new factor at `…/confirm`.
    @Sendable func addFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("add_factor", request, context) { call, session in
            let body = try await JSONBody.object(request, of: "type", "email", "phone")
            if try body.required("type", most: 40) == "recovery_codes" {
                let codes = try await factors.replaceRecoveryCodes(session: session, caller: call.caller)
                return .json(["recovery_codes": .array(codes.map(JSON.string))], status: .created)
            }
            let pending = try await factors.begin(try Self.addition(body), session: session, caller: call.caller)
            return .json(RESTAnswers.nextStep(pending))
        }
    }

    private static let kinds = ["totp", "passkey", "email", "sms", "recovery_codes"]

    private static func addition(_ body: JSONObject) throws -> FactorService.Addition {
        switch try body.required("type", most: 40) {
        case "totp": return .totp
        case "passkey": return .passkey
        case "email": return .email(try body.required("email", most: 254))
        case "sms": return .sms(try body.required("phone", most: 40))
        default: throw Rejection.invalidField(.kind, .unknown.accepting(kinds))
        }
    }

    /// `POST /v1/account/factors/confirm`: `{flow, response}`; 201 with the factor.
    ///
    /// The answer for the first factor also contains recovery codes, and that for a guest a session to go on with.
    @Sendable func confirmFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("confirm_factor", request, context) { call, session in
            call.fieldsUnder = "/response"
            let body = try await JSONBody.object(request, of: "flow", "response")
            let (factor, codes, renewed) = try await factors.confirm(
                flow: try body.required("flow", most: 200), response: try StepResponse(try body.object("response")),
                session: session, caller: call.caller)
            var answer: JSONObject = [
                "factor": RESTFactors.json(try await self.factors.factors(of: session), factor)
            ]
            answer["recovery_codes"] = RESTAnswers.codes(codes)
            answer["session"] = renewed.map(RESTAnswers.issued)
            return .json(.object(answer), status: .created)
        }
    }

    /// `PATCH /v1/account/factors/{id}`: `{name?, preferred?}`.
    @Sendable func changeFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("change_factor", request, context) { call, session in
            let body = try await JSONBody.object(request, of: "name", "preferred")
            let name = try body.optional("name", most: 400)
            let preferred = body["preferred"]
            guard preferred == nil || preferred?.bool != nil else {
                throw Problem.invalidMember("/preferred", "must_be_true_or_false")
            }
            try await factors.change(
                try pathID(context), name: name, isPreferred: preferred?.bool, session: session, caller: call.caller)
            return .json(try await ownFactors(session))
        }
    }

    /// `DELETE /v1/account/factors/{id}`.
    @Sendable func removeFactor(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("remove_factor", request, context) { call, session in
            try await factors.remove(try pathID(context), session: session, caller: call.caller)
            return Response(status: .noContent)
        }
    }

    /// `GET /v1/account/devices`: the remembered devices.
    @Sendable func listDevices(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("list_devices", request, context) { _, session in
            let devices = try await factors.rememberedDevices(of: session)
            return .json(["devices": .array(devices.map(RESTFactors.json))])
        }
    }

    /// `DELETE /v1/account/devices/{id}`.
    @Sendable func forgetDevice(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("forget_device", request, context) { call, session in
            try await factors.forget(try pathID(context), session: session, caller: call.caller)
            return Response(status: .noContent)
        }
    }
}
