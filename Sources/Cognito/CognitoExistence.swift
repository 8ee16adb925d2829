import Clients
import HTTPServer
import SignIn
import Vocabulary

/// The answers that reveal whether a user exists, for apps that enable them (`PreventUserExistenceErrors` = `LEGACY`).
///
/// Each check takes from the throttle of the network.
struct CognitoExistence: Sendable {
    let flows: SignInFlows
    let names: FlowNames

    /// Throws `UserNotFoundException` for a name without an account and without a sign-up that waits for its code.
    func requireUser(_ name: String, _ client: Client, _ call: DoorCall, _ message: String) async throws {
        guard reveals(client), try await !flows.hasAccount(name, caller: call.caller) else { return }
        guard try await !names.hasFlow(for: .signUp, of: name, client: client) else { return }
        throw CognitoError(.userNotFound, message, code: "invalid_credentials")
    }

    /// Throws `UsernameExistsException` for a name with an account.
    func requireNewUser(_ name: String, _ client: Client, _ call: DoorCall) async throws {
        guard reveals(client), try await flows.hasAccount(name, caller: call.caller) else { return }
        throw CognitoError(.usernameExists, "User already exists", code: "user_name_taken")
    }

    /// Throws for a confirmed user, whom no code confirms again.
    func requireUnconfirmed(_ name: String, _ client: Client, _ call: DoorCall) async throws {
        guard reveals(client), try await flows.hasAccount(name, caller: call.caller) else { return }
        throw CognitoError.isConfirmed
    }

    /// Whether `AvailableChallenges` may offer a passkey: everywhere the same offer, unless the app reveals its users.
    func offersPasskey(to name: String, _ client: Client) async throws(Rejection) -> Bool {
        guard reveals(client) else { return true }
        return try await flows.hasPasskey(name)
    }

    private func reveals(_ client: Client) -> Bool { client.dialects.cognito?.revealsUsers == true }
}

extension CognitoError {
    static let isConfirmed = CognitoError(
        .notAuthorized, "User cannot be confirmed. Current status is CONFIRMED", code: Rejection.flowExpired.code)
}
