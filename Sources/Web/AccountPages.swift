import Accounts
import Authorization
import Clients
import Foundation
import Hummingbird
import Pages
import Sessions
import SignIn
import Telemetry
import Vocabulary

/// The sections of the account page, which every account door shows again after a refusal.
struct AccountPages: HostedPages {
    let site: Site
    let accounts: AccountService
    let factors: FactorService
    let addresses: AddressService
    let activity: ActivityService
    let merging: MergeService
    let grants: AppGrants

    /// - Parameter cursor: the place in the history, for the activity only.
    func accountPage(
        _ section: AccountSection, _ session: SessionSnapshot, _ call: WebCall, cursor: String? = nil,
        done: String? = nil, problem: PageProblem? = nil
    ) async throws(Rejection) -> AccountPage {
        let locales = Self.localesParameter(call.locales)
        return AccountPage(
            name: session.account.displayName, email: session.account.email,
            content: try await content(section, session, call, cursor: cursor),
            links: AccountSection.allCases.map { .init(section: $0, address: $0.address.addingQuery(locales)) },
            app: clients.client(session.facts.clientID).flatMap { client in
                client.brand?.home.map { .init(name: client.name, address: $0) }
            },
            deletionDue: session.account.deletion.map { RFC3339.text($0.dueAt) },
            removalDue: try await factors.removalDue(of: session).map { RFC3339.text($0) },
            hidden: hidden(call, Self.locales(call)), done: done, problem: problem)
    }

    private func content(
        _ section: AccountSection, _ session: SessionSnapshot, _ call: WebCall, cursor: String?
    ) async throws(Rejection) -> AccountPage.Content {
        switch section {
        case .profile: .profile(try await profile(session))
        case .signInMethods: .signInMethods(try await signInMethods(session, call))
        case .twoStep: .twoStep(try await twoStep(session))
        case .devices: .devices(try await devices(session))
        case .activity: .activity(try await activity(session, call, cursor))
        case .data: .data
        }
    }
}
