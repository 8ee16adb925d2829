import HTTPTypes
import JSON

extension ControlRoutes {
    private func native() throws(ControlError) -> MicrosoftSimulator {
        guard let microsoft = try provider(.microsoft) as? MicrosoftSimulator else {
            throw ControlError("microsoft is not simulated")
        }
        return microsoft
    }

    /// `POST /control/microsoft/clients`: registers a client, for native authentication or not.
    func addNativeClient(_ members: ControlMembers) throws -> Answer {
        try members.expectOnly(["client_id", "native"])
        guard let id = try members.text("client_id"), !id.isEmpty else { throw ControlError("client_id is missing") }
        let microsoft = try native()
        microsoft.register(client: id)
        microsoft.native.setNative(try members.flag("native") ?? true, client: id)
        return Answer(status: .noContent, body: .none)
    }

    /// `POST /control/microsoft/users`: adds or replaces a user.
    func addNativeUser(_ members: ControlMembers) throws -> Answer {
        let user = try NativeUser(members)
        try native().native.add(user)
        return .secret(Self.report(of: user))
    }

    /// `GET /control/microsoft/users?username=…`: the contents of the user's mail and phone.
    func nativeUser(_ query: Parameters) throws -> Answer {
        let members = ControlMembers(query)
        try members.expectOnly(["username", "tenant"])
        let tenant = try members.text("tenant") ?? Defaults.microsoftExternalTenant
        guard let user = try native().native.user(members.text("username") ?? "", tenant: tenant) else {
            throw ControlError("there is no such user")
        }
        return .secret(Self.report(of: user))
    }

    private static func report(of user: NativeUser) -> JSON {
        let codes = user.codes.sorted { $0.key < $1.key }
        let attributes = user.attributes.sorted { $0.key < $1.key }
        return [
            "username": .string(user.username), "oid": .string(user.id), "exists": .bool(user.exists),
            "codes": .object(JSONObject(codes.map { .init(name: $0.key, value: .string($0.value)) })),
            "attributes": .object(JSONObject(attributes.map { .init(name: $0.key, value: .string($0.value)) })),
            "methods": .array(
                user.methods.map {
                    ["id": .string($0.id), "channel": .string($0.channel), "target": .string($0.target)]
                }),
        ]
    }
}
