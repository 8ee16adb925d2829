import Accounts
import OperatorAccess

extension AccountAction {
    static let requireReset = AccountAction(
        name: "require_reset", right: .requireReset, ends: .all,
        help: "Invalidate the password. The next sign-in with it starts a reset by code.",
        isPossible: { $0.isActive && $0.hasUsablePassword },
        perform: { change in
            try await change.services.care.requireReset(change.account, because: change.reason, by: change.actor)
            return .done(report: "needs a new password and has no session")
        })

    static let requireProof = AccountAction(
        name: "require_proof", right: .requireProof, part: .address,
        arguments: [ActionArgument(name: "address", kind: .text, help: "The address or number.")],
        ends: .all, help: "Require a new proof of an address or number.", isPossible: { $0.isActive },
        perform: { change in
            let address = try change.text("address")
            try await change.services.care.requireProof(
                address, of: change.account, because: change.reason, by: change.actor)
            return .done(report: "must prove \(address) again and has no session")
        })
}
