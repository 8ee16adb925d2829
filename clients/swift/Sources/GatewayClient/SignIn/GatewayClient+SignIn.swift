import Foundation

/// The outcome of a sign-in or of a step.
public enum SignInResult: Sendable {
    /// The user is signed in, and the session is stored.
    case signedIn(Session)
    /// The user has to answer a step.
    case next(Step)
}

extension GatewayClient {
    /// Signs a user in with any credential.
    ///
    /// - Parameters:
    ///   - credential: the proof of the user.
    ///   - link: the question of a ``Step/linkAccount(_:)`` step. The new identity then joins the account of this
    ///     sign-in.
    ///   - botCheck: the answer of the widget of ``Problem/botCheck``.
    public func signIn(
        _ credential: Credential, linking link: LinkQuestion? = nil, botCheck: String? = nil
    ) async throws -> SignInResult {
        let request = SignInRequest(
            provider: credential.provider, clientID: clientID, credential: credential.members,
            device: try await device.members(), linkFlow: link?.flow.token,
            botCheck: botCheck.map(Secret.init))
        return try await outcome(.post("/v1/sign-in", request), flow: link?.flow)
    }

    /// A nonce for a provider's SDK: it binds the provider's token to this sign-in.
    public func nonce() async throws -> Nonce {
        let answer: NonceAnswer = try await api.answer(APICall(method: "POST", path: "/v1/nonce"))
        return Nonce(value: answer.nonce)
    }

    /// Asks for an account with a name and, if the app allows it, without a password.
    ///
    /// The next step is ``Step/confirmSignUp(_:)``, except for a user name without an address.
    ///
    /// - Parameters:
    ///   - form: the entries.
    ///   - botCheck: the answer of the widget of ``Problem/botCheck``.
    public func signUp(_ form: SignUpForm, botCheck: String? = nil) async throws -> SignInResult {
        let request = SignUpRequest(
            clientID: clientID, form: form, device: try await device.members(), botCheck: botCheck.map(Secret.init))
        return try await outcome(.post("/v1/sign-up", request))
    }

    /// Sends a code with which the user can set a new password; the step is ``Step/resetPassword(_:)``.
    ///
    /// The answer is the same for known and unknown names.
    ///
    /// - Parameters:
    ///   - username: the name to sign in with.
    ///   - botCheck: the answer of the widget of ``Problem/botCheck``.
    public func forgotPassword(username: String, botCheck: String? = nil) async throws -> SignInResult {
        let request = ForgotRequest(
            clientID: clientID, username: username, device: try await device.members(),
            botCheck: botCheck.map(Secret.init))
        return try await outcome(.post("/v1/password/forgot", request))
    }

    /// Sends a call of a sign-in; the answer is a session or a step.
    func outcome(
        _ call: APICall, by authority: Authority = .proof, flow former: Flow? = nil
    ) async throws -> SignInResult {
        let answer: SignInAnswer = try await api.answer(call, authority)
        switch answer {
        case .signedIn(let signedIn): return .signedIn(try await keeper.begin(signedIn, after: former))
        case .nextStep(let next):
            return .next(Step(next, client: self, after: former, now: keeper.circumstances.time.now()))
        }
    }
}

/// The entries of a sign-up.
public struct SignUpForm: Sendable {
    /// The name to sign in with: an address, a number in international form, or a user name.
    public var username: String
    /// The password, unless the app allows accounts without one.
    public var password: String?
    /// An address, beside a number or a user name.
    public var email: String?
    /// A number, beside an address or a user name.
    public var phone: String?
    /// The name to show.
    public var displayName: String?
    /// The app's own attributes.
    public var attributes: [String: JSONValue]

    /// A form with these entries.
    public init(
        username: String, password: String? = nil, email: String? = nil, phone: String? = nil,
        displayName: String? = nil, attributes: [String: JSONValue] = [:]
    ) {
        (self.username, self.password, self.email, self.phone) = (username, password, email, phone)
        (self.displayName, self.attributes) = (displayName, attributes)
    }
}
