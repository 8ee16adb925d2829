import Accounts
import Foundation
import Providers

/// What a credential costs that its provider has to be asked about.
///
/// Anybody can post any number of them, each a request in our name: the provider would slow down, or shut out, all who
/// sign in with it. So requests in vain count against where they were asked for, and people pay nothing.
extension SignInService {
    /// The price of a credential, nothing for one that is checked here.
    ///
    /// - Throws: `throttled` where too much was asked in vain.
    func price(
        of credential: ProviderCredential, at adapter: any TokenSignIn, _ request: SignInRequest
    ) throws(Rejection) -> [Throttle] {
        adapter.asksProvider(about: credential.members) ? try requestPrice(request) : []
    }

    /// The price of a request to a provider.
    func requestPrice(_ request: SignInRequest) throws(Rejection) -> [Throttle] {
        let price = throttles.providerRequest(address: request.caller.address)
        let wait = shutOut.wait(of: price)
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
        return price
    }

    /// Goes on with what a provider said; where that is refused, it was asked in vain.
    ///
    /// A token that is known as used or foreign costs its provider as much each time. What fails here is nobody's fault.
    func charging<Value>(
        _ price: [Throttle], _ body: () async throws(Rejection) -> Value
    ) async throws(Rejection) -> Value {
        do throws(Rejection) {
            return try await body()
        } catch {
            switch error {
            case .databaseUnavailable, .outcomeUnknown, .overloaded, .internalError: shutOut.returnTurn(price)
            default: await charge(price)
            }
            throw error
        }
    }

    /// Counts a request that was in vain.
    func charge(_ price: [Throttle]) async {
        // A database that can't be told counts nothing, and nobody is signed in by it either.
        guard !price.isEmpty, let waits = try? await store.charge(price) else { return }
        shutOut.shutOut(price, for: waits)
    }
}
