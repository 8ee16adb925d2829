import Admin
import Cryptography
import Providers

/// The services for operators, shared by the API, the console and the command line.
struct AdminServices: Sendable {
    let search: AccountSearch
    let records: AccountRecords
    let care: AccountCare
    let moves: IdentityMoves
    let merging: AccountMerging
    let operators: OperatorDesk
    let clients: ClientDesk
    let linking: LinkingRehearsal
    let providers: ProviderDesk
    let overview: Overview
    let leaving: AccountLeaving
    let audit: AuditReading
    let events: EventDesk
    /// For all doors together.
    let streams = StreamPlaces()

    /// - Parameter signInMethods: the ids of the sign-in methods that the present configuration offers.
    init(
        _ configuration: GatewayConfiguration, desk: AdminDesk, providers: ProviderRegistry, signInMethods: [String],
        credentials: ExpiringCredentials
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
        linking = LinkingRehearsal(desk: desk)
        self.providers = ProviderDesk(desk: desk, providers: providers, credentials: credentials)
        overview = Overview(desk: desk)
        leaving = AccountLeaving(desk: desk, waitingDays: configuration.accounts.deletionDays)
        audit = AuditReading(desk: desk)
        events = EventDesk(desk: desk, keys: keys, allowsLocal: configuration.providers.allowsLocalProviders)
    }
}
