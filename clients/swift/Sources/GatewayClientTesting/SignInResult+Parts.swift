public import GatewayClient

extension SignInResult {
    /// The session, if the user is signed in.
    public var session: Session? { if case .signedIn(let session) = self { session } else { nil } }

    /// The step, if there is one to answer.
    public var step: Step? { if case .next(let step) = self { step } else { nil } }
}
