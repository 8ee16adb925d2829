import JSON
import Synchronization

/// The user-pool API of all simulated pools: one address, nine operations.
final class UserPool: Sendable {
    private let state = Mutex(UserPoolState())

    func answer(_ request: Received, mint: UserPoolState.Mint) throws -> Answer {
        let request = try UserPoolRequest(request)
        let members = try state.withLock { state in try Self.work(request, &state, mint) }
        return Answer(headers: UserPoolAnswer.headers, body: .json(.object(members)))
    }

    func add(_ client: PoolClient) { state.withLock { $0.add(client) } }
    func add(_ user: PoolUser) { state.withLock { $0.add(user) } }
    func reset() { state.withLock { $0 = UserPoolState() } }

    func user(_ name: String, pool: String) -> PoolUser? {
        state.withLock { $0.users.first { $0.isNamed(name, in: pool) } }
    }

    /// The numbers of issued and revoked refresh tokens.
    var refreshTokens: (issued: Int, revoked: Int) {
        state.withLock { state in (state.refreshTokens.count, state.refreshTokens.values.count(where: \.isRevoked)) }
    }

    private static func work(
        _ request: UserPoolRequest, _ state: inout UserPoolState, _ mint: UserPoolState.Mint
    ) throws -> JSONObject {
        switch request.operation {
        case .initiateAuth: try state.initiate(request, mint: mint)
        case .respondToAuthChallenge: try state.respond(request, mint: mint)
        case .associateSoftwareToken: try state.associate(request)
        case .verifySoftwareToken: try state.verify(request)
        case .forgotPassword: try state.forgot(request)
        case .confirmForgotPassword: try state.confirmForgot(request)
        case .confirmSignUp: try state.confirmSignUp(request)
        case .resendConfirmationCode: try state.resend(request)
        case .revokeToken: try state.revoke(request)
        }
    }
}
