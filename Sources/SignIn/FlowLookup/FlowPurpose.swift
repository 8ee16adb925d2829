/// The purpose that a front door's address gives to a flow.
package enum FlowPurpose: Sendable {
    case signIn, signUp, passwordReset
    /// A factor or an address that a signed-in person adds.
    case ownAccount

    var kinds: [FlowKind] {
        switch self {
        case .signIn: [.signIn, .provider, .passkey]
        case .signUp: [.signUp, .provider]
        case .passwordReset: [.signIn, .provider]
        case .ownAccount: [.factor, .address]
        }
    }
}
