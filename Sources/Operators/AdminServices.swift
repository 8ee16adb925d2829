package import Accounts
package import Audit
package import Clients
package import Cryptography
package import Messages
package import OperatorAccess
package import Providers

/// The services for operators, shared by the API, the console and the command line.
package final class AdminServices: Sendable {
    package let search: AccountSearch
    package let records: AccountRecords
    package let care: AccountCare
    package let moves: IdentityMoves
    package let merging: AccountMerging
    package let operators: OperatorDesk
    package let clients: ClientDesk
    package let accessKeys: AccessKeyDesk
    package let linking: LinkingRehearsal
    package let providers: ProviderDesk
    package let overview: Overview
    package let leaving: AccountLeaving
    package let creation: AccountCreation
    package let idempotency: Idempotency
    package let audit: AuditReading
    package let events: EventDesk
    package let messages: MessageDesk

    /// The settings of these services.
    package struct Settings: Sendable {
        let keys: MasterKeys
        let factorRemovalSeconds: Int
        let confirmsOwners: Bool
        let deletionDays: Int
        /// Whether endpoints may have local addresses.
        let allowsLocal: Bool

        package init(
            keys: MasterKeys, factorRemovalSeconds: Int, confirmsOwners: Bool, deletionDays: Int, allowsLocal: Bool
        ) {
            (self.keys, self.factorRemovalSeconds, self.confirmsOwners) = (keys, factorRemovalSeconds, confirmsOwners)
            (self.deletionDays, self.allowsLocal) = (deletionDays, allowsLocal)
        }
    }

    /// - Parameter signInMethods: the ids of the sign-in methods that the present configuration offers.
    package init(
        _ settings: Settings, desk: AdminDesk, providers: ProviderRegistry, signInMethods: [String],
        credentials: ExpiringCredentials, messages: MessageEditing, sectors: SectorDocuments, creation: AccountCreation
    ) {
        let keys = settings.keys
        search = AccountSearch(desk: desk)
        records = AccountRecords(desk: desk)
        care = AccountCare(desk: desk, signInMethods: signInMethods, factorWait: settings.factorRemovalSeconds)
        moves = IdentityMoves(desk: desk, signInMethods: signInMethods)
        merging = AccountMerging(desk: desk, signInMethods: signInMethods)
        self.operators = OperatorDesk(desk: desk, confirmsOwners: settings.confirmsOwners)
        clients = ClientDesk(
            desk: desk, keys: keys, providers: providers.all.map(\.id.rawValue),
            allowsLocal: settings.allowsLocal, sectors: sectors)
        accessKeys = AccessKeyDesk(desk: desk, keys: keys)
        linking = LinkingRehearsal(desk: desk)
        self.providers = ProviderDesk(desk: desk, providers: providers, credentials: credentials)
        overview = Overview(desk: desk)
        leaving = AccountLeaving(desk: desk, waitingDays: settings.deletionDays)
        self.creation = creation
        idempotency = Idempotency(desk: desk, keys: keys)
        audit = AuditReading(desk: desk)
        self.messages = MessageDesk(desk: desk, editing: messages)
        events = EventDesk(desk: desk, keys: keys, allowsLocal: settings.allowsLocal)
    }
}
