import Cryptography
import Foundation
import Sessions
import Vocabulary

/// The proof of a password by SRP-6a, which never sends the password.
///
/// An unknown name has a step of the same form, with an invented verifier.
struct SRPStep: FlowStep {
    static let kind = "srp"

    /// The account that the verifier belongs to, with the stored hash of the same password.
    struct Holder: Codable, Sendable, Equatable {
        let account: UUID
        let hash: String
    }

    /// Nil for an invented verifier.
    let holder: Holder?
    /// The protocol's name of the user.
    let user: String
    let realm: String
    /// A, in hexadecimal.
    let clientValue: String
    let server: SRPServer

    func wrong(triesLeft: Int) -> Rejection { .invalidCredentials() }

    func shown(_ context: FlowContext) -> SignInStep {
        .passwordProof(
            SRPChallenge(user: user, salt: server.salt, serverValue: server.publicValue))
    }

    func judge(_ response: StepResponse, _ context: FlowContext) async throws(Rejection) -> Verdict {
        // A door without SRP asks for the password itself.
        if case .password = response.answer { return try await PasswordStep().judge(response, context) }
        guard case .passwordProof(let proof) = response.answer else { throw .invalidField(.password, .required) }
        let isRight = try await context.accepts(
            proof, by: server, realm: realm, user: user, clientValue: clientValue)
        // Another password since the step was shown ends it.
        guard isRight, let holder, context.account == holder.account, context.passwordHash == holder.hash else {
            return .wrong
        }
        return .right(Right(proof: Proof(.password)))
    }
}

extension FlowContext {
    /// Whether a proof is right, computed on a thread for hashing.
    ///
    /// - Parameters:
    ///   - user: the protocol's name of the user or device.
    ///   - clientValue: A, in hexadecimal.
    func accepts(
        _ proof: SRPProof, by server: SRPServer, realm: String, user: String, clientValue: String
    ) async throws(Rejection) -> Bool {
        let (hasher, network) = (tools.hasher, request.caller.network)
        return try await rejecting(tools.logger) {
            let place = try await hasher.place(for: network)
            return try await hasher.compute(in: place) {
                server.accepts(
                    proof.signature, realm: realm, user: user, clientValue: clientValue,
                    secretBlock: proof.secretBlock, timestamp: proof.timestamp)
            }
        }
    }
}

/// The server's values of SRP-6a, in hexadecimal.
package struct SRPChallenge: Sendable, Equatable {
    /// The protocol's name of the user.
    package let user: String
    package let salt: String
    /// B.
    package let serverValue: String
}

/// The client's proof.
package struct SRPProof: Sendable, Equatable {
    package let secretBlock: [UInt8]
    package let timestamp: String
    package let signature: [UInt8]

    package init(secretBlock: [UInt8], timestamp: String, signature: [UInt8]) {
        (self.secretBlock, self.timestamp, self.signature) = (secretBlock, timestamp, signature)
    }
}
