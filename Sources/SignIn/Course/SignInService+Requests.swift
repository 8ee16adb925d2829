import Foundation
import Providers
import Sessions
import Vocabulary

/// The price of a credential that needs a request to its provider.
///
/// Anyone can post any number of credentials. Each causes a request in our name, and the provider would throttle all of
/// our users. So failed requests are charged to the network they came from; successful ones cost nothing.
extension SignInService {
    /// The price of a credential; empty for one that is verified locally.
    ///
    /// - Throws: `throttled` where the network is blocked.
    func price(
        of credential: PresentedCredential, at adapter: any TokenSignIn, _ request: SignInRequest
    ) throws(Rejection) -> [Throttle] {
        adapter.asksProvider(about: credential.members) ? try requestPrice(request) : []
    }

    /// The price of a request to a provider.
    func requestPrice(_ request: SignInRequest) throws(Rejection) -> [Throttle] {
        let price = throttles.providerRequest(address: request.caller.address)
        let wait = blocked.wait(of: price)
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
        return price
    }

    /// Runs the rest of a sign-in, and charges the price where it is refused.
    ///
    /// A replayed or foreign token costs its provider a request each time. Our own failures are not charged.
    func charging<Value>(
        _ price: [Throttle], _ body: () async throws(Rejection) -> Value
    ) async throws(Rejection) -> Value {
        do throws(Rejection) {
            return try await body()
        } catch {
            switch error {
            case .databaseUnavailable, .outcomeUnknown, .overloaded, .internalError: blocked.returnTurn(price)
            default: await charge(price)
            }
            throw error
        }
    }

    /// Charges a failed request.
    func charge(_ price: [Throttle]) async {
        // Without a database nothing is counted, and no sign-in succeeds.
        guard !price.isEmpty, let waits = try? await store.charge(price) else { return }
        blocked.block(price, for: waits)
    }

    /// Lets the network ask again after an accepted credential.
    func unblock(_ price: [Throttle]) { blocked.unblock(price) }
}
