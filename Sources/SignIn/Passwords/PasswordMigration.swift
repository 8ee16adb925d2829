import Clients
import Cryptography
import Foundation
import Logging
import Vocabulary

/// Moves users over from a provider at their first sign-in with a password here.
///
/// It asks the provider once for a name that no account has here. If the provider accepts the password, the usual rules
/// make or find the account. The account then keeps the password here.
package struct PasswordMigration: Sendable {
    private let providerLed: ProviderLedSignInService
    /// Provider ids, in the order of the requests.
    private let providers: [String]

    /// Nil without a provider to migrate from.
    package init?(providerLed: ProviderLedSignInService, providers: [String]) {
        guard !providers.isEmpty else { return nil }
        (self.providerLed, self.providers) = (providerLed, providers)
    }

    /// - Parameters:
    ///   - normalised: the form that is hashed here; the provider receives the typed form.
    ///   - place: the hashing place, released before the request to a provider.
    func signIn(
        _ name: String, password: String, _ normalised: [UInt8], _ request: SignInRequest, in place: HashingPlace
    ) async throws(Rejection) -> SignInOutcome {
        // Always one hash, for every answer of the provider, so that timing matches that of a known name.
        let hash = try await rejecting(providerLed.logger) { try await providerLed.hasher.hash(normalised, in: place) }
        place.leave()
        for provider in providers where request.client.allows(provider: provider) {
            do throws(Rejection) {
                return try await providerLed.begin(provider, name, password, request, migrating: hash)
            } catch {
                switch error {
                case .invalidCredentials, .invalidField, .accountDisabled: continue
                default: throw error
                }
            }
        }
        throw .invalidCredentials()
    }
}
