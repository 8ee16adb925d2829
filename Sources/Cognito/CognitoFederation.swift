import Clients
import Foundation
import HTTPServer
import JSON
import Providers
import SignIn
import Vocabulary

/// A sign-in with the token of a provider, as `CUSTOM_AUTH`; Cognito itself has none.
///
/// `USERNAME` names the provider. The challenge's parameters have the nonce for the provider; `ANSWER` is its identity
/// token, or a JSON object with the members of the provider's credential in `docs/openapi.yaml`.
struct CognitoFederation {
    let provider: String
    let nonce: String

    private static let prefix = "federated."

    /// The session of the challenge: the provider and the nonce, which proves itself.
    var session: String { "\(Self.prefix)\(provider).\(nonce)" }

    init(provider: String, nonce: String) { (self.provider, self.nonce) = (provider, nonce) }

    /// Nil for the session of another challenge.
    init?(session: String) {
        guard session.hasPrefix(Self.prefix) else { return nil }
        let parts = session.dropFirst(Self.prefix.count).split(separator: ".", maxSplits: 1)
        guard parts.count == 2 else { return nil }
        self.init(provider: String(parts[0]), nonce: String(parts[1]))
    }

    /// The provider's credential of an answer.
    func credential(_ answer: String) -> PresentedCredential {
        var members = (try? JSON(parsing: answer).object) ?? ["id_token": .string(answer)]
        members["nonce"] = members["nonce"] ?? .string(nonce)
        return PresentedCredential(members)
    }
}

extension CognitoSignIn {
    /// Begins a `CUSTOM_AUTH` for the provider that `USERNAME` names.
    ///
    /// Other names have no custom challenge as a first factor, known or not.
    func federated(_ name: String, _ client: Client) throws -> JSONObject {
        guard let provider = CognitoProviders.id(named: name), flows.takesToken(of: provider),
            client.allows(provider: provider)
        else {
            throw Rejection.invalidCredentials()
        }
        let federation = CognitoFederation(provider: provider, nonce: flows.issueNonce().nonce)
        let parameters = [("USERNAME", name), ("provider", provider), ("nonce", federation.nonce)]
        return CognitoChallenge(.customChallenge, parameters.map { (name: $0.0, value: $0.1) })
            .json(session: federation.session)
    }

    func signInFederated(
        _ session: String, _ responses: CognitoTexts, _ client: Client, _ call: inout DoorCall
    ) async throws -> JSONObject {
        guard let federation = CognitoFederation(session: session) else { throw Rejection.flowExpired }
        let credential = Credential.provider(
            federation.provider, federation.credential(try responses.required("ANSWER")))
        call.provider = credential.method
        return try await answer(
            try await flows.begin(credential, asked(client, call)), nil, responses["DEVICE_KEY"], client, call)
    }
}
