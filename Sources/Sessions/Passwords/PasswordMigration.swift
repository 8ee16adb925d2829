import Cryptography
import Foundation
import Logging

/// Moves people over from a provider at their first sign-in with a password here.
///
/// A name that nobody has here is asked for there, once: if the provider takes the password, the account is made or
/// found by the usual rules, and the password is kept here from then on.
package struct PasswordMigration: Sendable {
    private let stepwise: StepwiseSignInService
    /// Provider ids, asked in this order.
    private let providers: [String]

    /// Nil where there is no provider to move people from.
    package init?(stepwise: StepwiseSignInService, providers: [String]) {
        guard !providers.isEmpty else { return nil }
        (self.stepwise, self.providers) = (stepwise, providers)
    }

    /// - Parameters:
    ///   - normalised: what is hashed here; the provider is given what was typed.
    ///   - place: left before a provider is asked.
    func signIn(
        _ name: String, password: String, _ normalised: [UInt8], _ request: SignInRequest, in place: HashingPlace
    ) async throws(Rejection) -> SignInOutcome {
        // One hash, whatever the provider says: as much as for a name that is known here.
        let hash = try await rejecting(stepwise.logger) { try await stepwise.hasher.hash(normalised, in: place) }
        place.leave()
        for provider in providers where request.client.allows(provider: provider) {
            do throws(Rejection) {
                return try await stepwise.begin(provider, name, password, request, migrating: hash)
            } catch {
                switch error {
                case .invalidCredentials, .invalidField, .accountDisabled: continue
                default: throw error
                }
            }
        }
        throw .invalidCredentials
    }
}
