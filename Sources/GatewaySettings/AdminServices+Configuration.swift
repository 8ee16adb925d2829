package import Accounts
package import Clients
import HTTPServer
package import Messages
package import OperatorAccess
package import Operators
package import Providers

extension AdminServices {
    /// - Parameter signInMethods: the ids of the sign-in methods that the present configuration offers.
    package convenience init(
        _ configuration: GatewayConfiguration, desk: AdminDesk, providers: ProviderRegistry, signInMethods: [String],
        credentials: ExpiringCredentials, messages: MessageEditing, sectors: SectorDocuments, creation: AccountCreation
    ) {
        self.init(
            Settings(
                keys: configuration.masterKeys, factorRemovalSeconds: configuration.operators.factorRemovalSeconds,
                confirmsOwners: configuration.operators.confirmsOwners,
                deletionDays: configuration.accounts.deletionDays,
                allowsLocal: configuration.providers.allowsLocalProviders),
            desk: desk, providers: providers, signInMethods: signInMethods, credentials: credentials,
            messages: messages, sectors: sectors, creation: creation)
    }
}

extension GatewayConfiguration {
    /// The editing of messages, with the values that every message has.
    ///
    /// - Parameter outbox: nil in a command.
    package func messages(texts: MessageTexts, outbox: Outbox?) -> MessageEditing {
        MessageEditing(
            .init(
                serviceName: serviceName, publicURL: server.publicURL, language: delivery.language.rawValue),
            texts: texts, keys: masterKeys, outbox: outbox)
    }
}
