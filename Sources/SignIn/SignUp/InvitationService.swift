import Accounts
import Foundation
import Messages
import Postgres
package import Vocabulary

/// The link of an invitation: its user proves the mailbox by it, and chooses the first password.
package struct InvitationService: Sendable {
    private let shared: FlowServices
    private let names: NameSignInService

    package init(_ shared: FlowServices, names: NameSignInService) {
        (self.shared, self.names) = (shared, names)
    }

    /// An invitation that still works.
    package struct Invitation: Sendable, Equatable {
        /// The mailbox that got the link.
        package let mailbox: String
        /// Nil for the app of the hosted pages.
        package let clientID: String?
    }

    /// The invitation of a link; nothing changes, because mail scanners open links.
    ///
    /// - Throws: `invitationInvalid` for an unknown, expired or used link.
    package func invitation(_ link: String) async throws(Rejection) -> Invitation {
        let token = try InvitationToken(parsing: link)
        let found: Invitation? = try await rejecting(shared.logger) {
            try await shared.store.pool.withConnection { connection in
                try connection.queryOne(
                    """
                    select e.address, i.client_id from invitations i
                      join accounts a on a.id = i.account_id and a.status = 'active'
                      join account_emails e on e.account_id = i.account_id and e.address_key = i.address_key and not e.is_relay
                     where i.digest = \(token.digest) and i.expires_at > now() and not has_own_method(i.account_id)
                    """
                ).map { Invitation(mailbox: try $0.value(0), clientID: try $0.value(1)) }
            }
        }
        guard let found else { throw .invitationInvalid }
        return found
    }

    /// Spends a link: the mailbox counts as proved.
    ///
    /// - Throws: `invitationInvalid` also for a mailbox that another account has proved by now.
    package func accept(_ link: String, caller: Caller) async throws(Rejection) -> Invitation {
        let token = try InvitationToken(parsing: link)
        return try await rejecting(shared.logger) {
            try await shared.store.pool.withConnection { connection in
                let row = try connection.row(
                    "select outcome, mailbox, app from accept_invitation(\(token.digest), \(caller.address), \(caller.requestID))"
                )
                switch try row.value(0, as: InvitationAcceptance.self) {
                case .accepted: return Invitation(mailbox: try row.value(1), clientID: try row.value(2))
                case .invitationInvalid: throw Rejection.invitationInvalid
                }
            }
        }
    }

    /// The step at which the user of an accepted invitation chooses a password.
    package func choosePassword(
        _ accepted: Invitation, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        guard let name = SignInName(accepted.mailbox), let mailbox = EmailAddress(accepted.mailbox) else {
            throw .invitationInvalid
        }
        let step = ResetWithProvedCodeStep(.email(mailbox))
        return .nextStep(
            try await names.begin(
                step, name, provider: FirstFactor.password.rawValue, action: "reset_started", isCharged: true, request))
    }
}

/// The outcomes of accepting an invitation (`accept_invitation`).
enum InvitationAcceptance: String, OutcomeWord {
    static let functions = ["accept_invitation"]

    case accepted
    case invitationInvalid = "invitation_invalid"
}
