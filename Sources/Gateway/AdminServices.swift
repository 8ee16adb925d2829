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

    init(
        desk: AdminDesk, keys: MasterKeys, events: EventDesk, waysIn: [String], providers: ProviderRegistry,
        credentials: ExpiringCredentials, deletionDays: Int, factorWait: Int, confirmsOwners: Bool
    ) {
        search = AccountSearch(desk: desk)
        records = AccountRecords(desk: desk)
        care = AccountCare(desk: desk, waysIn: waysIn, factorWait: factorWait)
        moves = IdentityMoves(desk: desk, waysIn: waysIn)
        merging = AccountMerging(desk: desk, waysIn: waysIn)
        operators = OperatorDesk(desk: desk, confirmsOwners: confirmsOwners)
        clients = ClientDesk(desk: desk, keys: keys, providers: providers.all.map(\.id.rawValue))
        linking = LinkingRehearsal(desk: desk)
        self.providers = ProviderDesk(desk: desk, providers: providers, credentials: credentials)
        overview = Overview(desk: desk)
        leaving = AccountLeaving(desk: desk, waitingDays: deletionDays)
        audit = AuditReading(desk: desk)
        self.events = events
    }
}
