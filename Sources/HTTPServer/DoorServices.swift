package import Accounts
package import Authorization
package import Clients
package import Sessions
package import SignIn

/// The services of the core that front doors call.
package struct DoorServices: Sendable {
    package let log: CallLog
    package let directory: SessionDirectory
    package let clients: ClientRegistry
    package let flows: SignInFlows
    package let sessions: SessionService
    package let handover: HandoverService
    package let inspector: TokenInspector
    package let accounts: AccountService
    package let factors: FactorService
    package let addresses: AddressService
    package let passwordChange: PasswordChangeService
    package let activity: ActivityService
    package let merging: MergeService
    package let deletion: DeletionService
    package let export: ExportService
    package let grants: AppGrants
    package let signingKeys: SigningKeys
    package let proofs: KeyProofs
    /// The gateway's public address; `iss` of its own tokens.
    package let publicURL: String

    package init(
        log: CallLog, directory: SessionDirectory, clients: ClientRegistry, flows: SignInFlows,
        sessions: SessionService, handover: HandoverService, inspector: TokenInspector, accounts: AccountService,
        factors: FactorService, addresses: AddressService, passwordChange: PasswordChangeService,
        activity: ActivityService, merging: MergeService, deletion: DeletionService, export: ExportService,
        grants: AppGrants, signingKeys: SigningKeys, proofs: KeyProofs, publicURL: String
    ) {
        (self.log, self.directory, self.clients, self.flows) = (log, directory, clients, flows)
        (self.sessions, self.handover, self.inspector) = (sessions, handover, inspector)
        (self.accounts, self.factors, self.addresses) = (accounts, factors, addresses)
        (self.passwordChange, self.activity, self.merging) = (passwordChange, activity, merging)
        (self.deletion, self.export, self.grants) = (deletion, export, grants)
        (self.signingKeys, self.proofs, self.publicURL) = (signingKeys, proofs, publicURL)
    }
}
