public import GatewayClient

extension FakeGateway {
    /// What a ``FakeGateway`` does with one call.
    public struct Reply: Sendable {
        enum Kind: Sendable {
            case usual
            case signedIn(FakeUser?, isNew: Bool?, codes: [String])
            case step(StepReply)
            case refused(Refusal)
            case answer(status: Int, body: JSONValue?)
            case noConnection
            case answerLost
        }

        let kind: Kind

        init(_ kind: Kind) { self.kind = kind }
    }
}

extension FakeGateway.Reply {
    /// The call succeeds, as it does without a script.
    public static func success() -> Self { Self(.usual) }

    /// The user is signed in.
    ///
    /// - Parameters:
    ///   - user: by default the one whom the app named.
    ///   - isNewAccount: by default true for guests and sign-ups.
    ///   - recoveryCodes: after the first second factor was set up.
    public static func signedIn(
        as user: FakeUser? = nil, isNewAccount: Bool? = nil, recoveryCodes: [String] = []
    ) -> Self { Self(.signedIn(user, isNew: isNewAccount, codes: recoveryCodes)) }

    /// An answer of your own, for the calls of ``FakeGateway/on(_:_:)``.
    ///
    /// - Parameters:
    ///   - body: in the words of `docs/openapi.yaml`.
    ///   - status: of HTTP.
    public static func answer(_ body: JSONValue? = nil, status: Int = 200) -> Self {
        Self(.answer(status: status, body: body))
    }

    /// The request does not arrive.
    public static func noConnection() -> Self { Self(.noConnection) }

    /// The gateway does what the call asks, and its answer is lost.
    public static func answerLost() -> Self { Self(.answerLost) }
}
