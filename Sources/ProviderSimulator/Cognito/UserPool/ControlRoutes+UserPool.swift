import FoundationEssentials
import HTTPTypes
import JSON

extension ControlRoutes {
    private func userPool() throws(ControlError) -> UserPool {
        guard let cognito = try provider(.cognito) as? CognitoSimulator else {
            throw ControlError("cognito is not simulated")
        }
        return cognito.userPool
    }

    /// `POST /control/cognito/clients`: adds or replaces an app client.
    func addPoolClient(_ members: ControlMembers) throws -> Answer {
        try members.expectOnly([
            "client_id", "pool", "secret", "flows", "prevent_user_existence_errors", "session_seconds", "revocation",
        ])
        var client = PoolClient(id: try members.text("client_id") ?? Defaults.cognitoClient)
        client.pool = try members.text("pool") ?? client.pool
        client.secret = try members.text("secret")
        client.flows = try members.texts("flows").map(Set.init) ?? client.flows
        client.preventsUserExistenceErrors = try members.flag("prevent_user_existence_errors") ?? true
        client.sessionLife = try members.number("session_seconds", in: 0...900) ?? client.sessionLife
        client.canRevoke = try members.flag("revocation") ?? true
        guard client.flows.isSubset(of: PoolClient.allFlows) else {
            throw ControlError("flows are \(PoolClient.allFlows.sorted().joined(separator: ", "))")
        }
        try userPool().add(client)
        return Answer(status: .noContent, body: .none)
    }

    /// `POST /control/cognito/users`: adds or replaces a user.
    func addPoolUser(_ members: ControlMembers) throws -> Answer {
        let user = try PoolUser(members)
        try userPool().add(user)
        return .secret(Self.report(of: user))
    }

    /// `GET /control/cognito/users?username=…`: the contents of the user's phone and mail.
    func poolUser(_ query: Parameters) throws -> Answer {
        let members = ControlMembers(query)
        try members.expectOnly(["username", "pool"])
        let name = try members.text("username") ?? ""
        guard let user = try userPool().user(name, pool: members.text("pool") ?? Defaults.cognitoPool) else {
            throw ControlError("there is no such user")
        }
        return .secret(Self.report(of: user))
    }

    /// `GET /control/cognito/tokens`: the numbers of issued and revoked refresh tokens.
    func poolTokens(_ query: Parameters) throws -> Answer {
        try ControlMembers(query).expectOnly([])
        let tokens = try userPool().refreshTokens
        return .secret(["issued": .integer(tokens.issued), "revoked": .integer(tokens.revoked)])
    }

    /// `POST /control/cognito/assertion`: a browser's result for the options of a passkey challenge.
    func assertion(_ members: ControlMembers) throws -> Answer {
        try members.expectOnly(["username", "pool", "options"])
        let name = try members.text("username") ?? ""
        guard let options = try members.object("options"),
            let user = try userPool().user(name, pool: members.text("pool") ?? Defaults.cognitoPool),
            let passkey = user.passkey
        else { throw ControlError("username is somebody with a passkey, and options are those of the challenge") }
        return .secret(try passkey.assertion(for: .object(options)))
    }

    private static func report(of user: PoolUser) -> JSON {
        let codes = user.codes.sorted { $0.key < $1.key }
        var report: JSONObject = [
            "username": .string(user.username), "sub": .string(user.id), "status": .string(user.status.rawValue),
            "codes": .object(JSONObject(codes.map { .init(name: $0.key, value: .string($0.value)) })),
            "factors": .array(user.factors.map(JSON.string)),
        ]
        report.add("email", user.attributes["email"])
        report.add("totp", user.totpSecret.map { AuthenticatorCode.code($0, AuthenticatorCode.counter(at: Date())) })
        report.add(
            "next_totp", user.totpSecret.map { AuthenticatorCode.code($0, AuthenticatorCode.counter(at: Date()) + 1) })
        return .object(report)
    }
}
