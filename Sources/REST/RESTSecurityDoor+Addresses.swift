import Foundation
import HTTPServer
import Hummingbird
import JSON
import SignIn
import Telemetry
import Vocabulary

/// The user's own e-mail addresses and phone numbers.
extension RESTSecurityDoor {
    /// `GET /v1/account/addresses`.
    @Sendable func listAddresses(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("list_addresses", request, context) { _, session in
            let list = try await addresses.addresses(of: session)
            return .json(["addresses": .array(list.map(Self.json))])
        }
    }

    /// `POST /v1/account/addresses`: `{address}`; sends a code to the address.
    @Sendable func addAddress(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("add_address", request, context) { call, session in
            let typed = try await JSONBody.object(request, of: "address").required("address", most: 254)
            return .json(
                RESTAnswers.nextStep(try await addresses.begin(typed, session: session, caller: call.caller)))
        }
    }

    /// `POST /v1/account/addresses/confirm`: `{flow, response: {code}}`; 201 with all addresses, for a guest also with a
    /// session to go on with.
    @Sendable func confirmAddress(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("confirm_address", request, context) { call, session in
            let body = try await JSONBody.object(request, of: "flow", "response")
            let flow = try body.required("flow", most: 200)
            let response = try codeAlone(try body.object("response"))
            call.fieldsUnder = "/response"
            let confirmed = try await addresses.confirm(
                flow: flow, response: response, session: session, caller: call.caller)
            let list = try await addresses.addresses(of: session)
            var answer: JSONObject = ["addresses": .array(list.map(Self.json))]
            answer["session"] = confirmed.renewed.map(RESTAnswers.issued)
            return .json(.object(answer), status: .created)
        }
    }

    /// The answer to an address is its code: other answers to steps are refused by name.
    private func codeAlone(_ response: JSONObject) throws(Problem) -> StepResponse {
        do throws(Problem) {
            _ = try response.limited(to: ["code"])
        } catch {
            throw error.under("/response")
        }
        return try StepResponse(response)
    }

    /// `PATCH /v1/account/addresses/{address}`: `{main: true}`.
    @Sendable func preferAddress(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("prefer_address", request, context) { call, session in
            guard try await JSONBody.object(request, of: "main")["main"] == true else {
                throw Problem.invalidMember("/main", "must_be_true")
            }
            try await addresses.prefer(try pathAddress(context), session: session, caller: call.caller)
            return .json(["addresses": .array(try await addresses.addresses(of: session).map(Self.json))])
        }
    }

    /// `DELETE /v1/account/addresses/{address}`.
    @Sendable func removeAddress(_ request: Request, _ context: GatewayContext) async throws -> Response {
        try await answerSignedIn("remove_address", request, context) { call, session in
            try await addresses.remove(try pathAddress(context), session: session, caller: call.caller)
            return Response(status: .noContent)
        }
    }

    private func pathAddress(_ context: GatewayContext) throws(Rejection) -> String {
        guard let address = context.parameters.get("address")?.removingPercentEncoding else { throw .notFound }
        return address
    }

    private static func json(_ address: AddressService.Address) -> JSON {
        var object: JSONObject = [
            "type": .string(address.kind.rawValue), "address": .string(address.text),
            "verified": .bool(address.isProved), "main": .bool(address.isMain), "relay": .bool(address.isRelay),
            "added_at": .string(RFC3339.text(address.addedAt)),
        ]
        object["undeliverable_since"] = address.undeliverableSince.map { .string(RFC3339.text($0)) }
        return .object(object)
    }
}
