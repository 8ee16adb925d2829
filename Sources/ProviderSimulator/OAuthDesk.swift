import FoundationEssentials
import JSON

/// Clients, codes and access tokens of a provider with plain OAuth 2.0.
///
/// A code is exchanged for an access token.
struct OAuthDesk<Access: Sendable>: Sendable {
    let clients: ClientRegistry
    let accessTokens = TokenTable<Access>()
    let codes = CodeStore<Access>()
    let redirects: RedirectAddresses
    private let newCode: @Sendable () -> String
    private let newToken: @Sendable () -> String

    /// - Parameters:
    ///   - newCode: makes a code in the provider's form.
    ///   - newToken: makes an access token in the provider's form.
    init(
        of name: ProviderName, client: String, secret: String,
        newCode: @escaping @Sendable () -> String = { RandomText.base64URL(24) },
        newToken: @escaping @Sendable () -> String = { RandomText.base64URL(24) }
    ) {
        clients = ClientRegistry(secret: secret, usual: client)
        redirects = RedirectAddresses(of: name)
        (self.newCode, self.newToken) = (newCode, newToken)
    }

    func reset() {
        clients.reset()
        accessTokens.removeAll()
        codes.removeAll()
        redirects.reset()
    }

    /// Binds a new code; the members are those of an app's credential.
    func add(_ order: MintOrder, opening access: Access) -> JSONObject {
        clients.register(order.clientID)
        return codes.add(newCode(), of: order, opening: access)
    }

    /// Registers a new access token.
    func issue(_ access: Access) -> String {
        let token = newToken()
        accessTokens.add(access, as: token)
        return token
    }

    /// Spends the code of a token request.
    func redeem(_ form: Parameters, of client: String, at now: Date) throws(CodeProblem) -> Access {
        try codes.redeem(
            form.value("code"), clientID: client, redirectURI: form["redirect_uri"], verifier: form["code_verifier"],
            at: now
        ).payload
    }

    /// A code with its verifier, and an access token of the same kind as the exchanged one.
    func mint(_ order: MintOrder, for provider: ProviderName, opening access: Access) -> Minted {
        let token = issue(access)
        var members: JSONObject = ["provider": .string(provider.rawValue), "access_token": .string(token)]
        let credential = order.withCode ? add(order, opening: access) : [:]
        members = members.overridden(by: credential)
        return Minted(members: members, token: token, credential: credential, codeCredential: credential)
    }

    /// The data that the bearer token of a request opens; nil without a known token.
    func access(by request: Received) throws(Refusal) -> Access? {
        guard let header = try request.header("authorization"), header.lowercased().hasPrefix("bearer ") else {
            return nil
        }
        return accessTokens[String(header.dropFirst(7))]
    }
}
