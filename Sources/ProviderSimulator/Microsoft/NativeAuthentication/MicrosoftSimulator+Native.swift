import Cryptography
import FoundationEssentials
import JSON

extension MicrosoftSimulator {
    /// The operation of native authentication, if the call is one; the token endpoint also accepts browsers' codes.
    func nativeOperation(_ request: Received, at route: Route) -> NativeOperation? {
        guard route.endpoint == .token else {
            return NativeOperation(rawValue: request.path.split(separator: "/").dropFirst(2).joined(separator: "/"))
        }
        let form = try? Parameters(parsing: request.body)
        return form?["grant_type"] == "authorization_code" || form?["code"] != nil ? nil : .token
    }

    func native(_ operation: NativeOperation, _ request: Received, at route: Route) throws -> Answer {
        try native.answer(operation, request, tenant: home(of: route.variable), clients: clients, mint: mint)
    }

    /// The tokens of a sign-in with a name, with the same claims as minted ones.
    private func mint(_ user: NativeUser, _ client: String, _ scope: String, _ now: Date) throws -> JSONObject {
        var order = MintOrder(provider: name)
        (order.clientID, order.tenant, order.isExternalTenant, order.now) = (client, user.tenant, true, now)
        (order.withCode, order.nonce) = (false, nil)
        order.person = Person(seed: user.username, subject: user.id, email: user.username, name: user.name)
        let minted = try mint(order, for: order.person)
        let info: JSON = ["uid": .string(user.id), "utid": .string(user.tenant)]
        return [
            "token_type": "Bearer", "scope": .string(scope), "expires_in": 3_600, "ext_expires_in": 3_600,
            "access_token": .string("EwB" + RandomText.base64URL(96)),
            "refresh_token": .string("1.A" + RandomText.base64URL(96)), "id_token": .string(minted.token),
            "client_info": .string(Base64URL.encode(info.bytes())),
        ]
    }
}
