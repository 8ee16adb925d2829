import Admin
import Cryptography
import Providers
import Sessions

/// The services for operators, shared by the API, the console and the command line.
final class AdminServices: Sendable {
    let search: AccountSearch
    let records: AccountRecords
    let care: AccountCare
    let moves: IdentityMoves
    let merging: AccountMerging
    let operators: OperatorDesk
    let clients: ClientDesk
    let accessKeys: AccessKeyDesk
    let linking: LinkingRehearsal
    let providers: ProviderDesk
    let overview: Overview
    let leaving: AccountLeaving
    let audit: AuditReading
    let events: EventDesk
    let messages: MessageDesk
    /// For all doors together.
    let streams = StreamPlaces()

    /// - Parameter signInMethods: the ids of the sign-in methods that the present configuration offers.
    init(
        _ configuration: GatewayConfiguration, desk: AdminDesk, providers: ProviderRegistry, signInMethods: [String],
        credentials: ExpiringCredentials, messages: MessageEditing
    ) {
        let (keys, operators) = (configuration.masterKeys, configuration.operators)
        search = AccountSearch(desk: desk)
        records = AccountRecords(desk: desk)
        care = AccountCare(desk: desk, signInMethods: signInMethods, factorWait: operators.factorRemovalSeconds)
        moves = IdentityMoves(desk: desk, signInMethods: signInMethods)
        merging = AccountMerging(desk: desk, signInMethods: signInMethods)
        self.operators = OperatorDesk(desk: desk, confirmsOwners: operators.confirmsOwners)
        clients = ClientDesk(
            desk: desk, keys: keys, providers: providers.all.map(\.id.rawValue),
            allowsLocal: configuration.providers.allowsLocalProviders)
        accessKeys = AccessKeyDesk(desk: desk, keys: keys)
        linking = LinkingRehearsal(desk: desk)
        self.providers = ProviderDesk(desk: desk, providers: providers, credentials: credentials)
        overview = Overview(desk: desk)
        leaving = AccountLeaving(desk: desk, waitingDays: configuration.accounts.deletionDays)
        audit = AuditReading(desk: desk)
        self.messages = MessageDesk(desk: desk, editing: messages)
        events = EventDesk(desk: desk, keys: keys, allowsLocal: configuration.providers.allowsLocalProviders)
    }
}

extension GatewayConfiguration {
    /// The editing of messages, with the values that every message has.
    ///
    /// - Parameter outbox: nil in a command.
    func messages(texts: MessageTexts, outbox: Outbox?) -> MessageEditing {
        MessageEditing(
            .init(
                serviceName: serviceName, publicURL: server.publicURL, language: delivery.language.rawValue),
            texts: texts, keys: masterKeys, outbox: outbox)
    }
}
