import Accounts
import OperatorAccess

extension AccountAction {
    static let link = AccountAction(
        name: "link", right: .linkIdentity, ownPath: "identities",
        arguments: [
            ActionArgument(name: "provider", kind: .provider, help: "The provider's id, such as apple."),
            ActionArgument(
                name: "realm", kind: .realm,
                help: "The realm: Apple team, Microsoft tenant or issuer. See docs/architecture.md."),
            ActionArgument(name: "subject", kind: .text, help: "The provider's user id."),
        ],
        reversal: .undo, help: "Link an unknown identity to an account.", isPossible: { $0.isActive },
        perform: { change in
            let subject = IdentityMoves.Subject(
                provider: try change.text("provider", most: 64), realm: try change.text("realm"),
                subject: try change.text("subject"))
            let id = try await change.services.moves.link(
                subject, to: change.account, because: change.reason, by: change.actor)
            return .changed(id, report: "Linked")
        })

    static let unlink = AccountAction(
        name: "unlink", right: .unlinkIdentity, ownPath: "identities/{identity}", removes: true, part: .identity,
        arguments: [.identity], reversal: .undo, ends: .ofIdentity, help: "Unlink an identity.",
        perform: { change in
            let id = try await change.services.moves.unlink(
                change.id("identity"), from: change.account, because: change.reason, by: change.actor)
            return .changed(id, report: "Unlinked, and the identity's sessions have ended")
        })

    static let move = AccountAction(
        name: "move", right: .moveIdentity, ownPath: "identities/{identity}/move", part: .identity,
        arguments: [
            .identity,
            ActionArgument(
                name: "to", kind: .otherAccount, help: "The new owner: account id or proved address.",
                ownOption: "target"),
        ],
        reversal: .undo, ends: .ofIdentity, help: "Move an identity to another account.", isPossible: { $0.isActive },
        perform: { change in
            let id = try await change.services.moves.move(
                change.id("identity"), from: change.account, to: change.id("to"), because: change.reason,
                by: change.actor)
            return .changed(id, report: "Moved, and the identity's sessions have ended")
        })
}
