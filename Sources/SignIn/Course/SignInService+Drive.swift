import Clients
import Foundation
import JSON
import Logging
import Sessions
import Vocabulary

/// How the machine's actions are carried out.
extension SignInService {
    /// Performs the machine's actions, and returns the action that ends the sign-in.
    func drive(
        _ machine: inout SignInMachine, _ presented: SignInStore.Presented, _ request: SignInRequest
    ) async throws(Rejection) -> SignInMachine.Action {
        var action = machine.beginning
        while let event = try await perform(action, machine, presented, request) {
            action = try machine.handle(event)
        }
        return action
    }

    /// Ends the sign-in with the machine's last action.
    func outcome(
        _ end: SignInMachine.Action, _ presented: SignInStore.Presented, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        if case .show(let pending) = end { return .nextStep(pending) }
        await fillAttributes(presented)
        guard case .handOut(let person, let isNew) = end else {
            return try await steps.goOn(presented.session.id, request)
        }
        return .signedIn(try await starter.signedIn(presented.session, person: person, isNew: isNew))
    }

    /// Carries out an action; nil for one that ends the sign-in.
    private func perform(
        _ action: SignInMachine.Action, _ machine: SignInMachine, _ p: SignInStore.Presented, _ request: SignInRequest
    ) async throws(Rejection) -> SignInMachine.Event? {
        switch action {
        case .lookUp: return try await lookUp(p, machine)
        case .chargeClaim(let holders, let isFirst): return try await chargeClaim(holders, isFirst, p)
        case .proveSession:
            let facts = try await proved(request).facts
            return .sessionProved(.init(id: facts.session, account: facts.account))
        case .askToLink(let account, let rule): return try await ask(p, account, explained(rule, machine, p))
        case .createAccount(let rule, _, _):
            guard let new = newAccount(action, p, explained(rule, machine, p)) else { throw .internalError }
            return try await rejecting(logger) { try await store.createAccount(p, new) }
        case .link(let account, let rule):
            let explain = explained(rule, machine, p)
            return try await rejecting(logger) {
                try await store.link(
                    p, account: account, identityID: starter.newID(), addressKey: p.identity.linkingKey ?? "",
                    asking: rule == .accompanyingSession ? machine.session?.id : nil, rule: rule, explain: explain)
            }
        case .handOut, .goOn, .show: return nil
        }
    }

    private func chargeClaim(
        _ holders: [LinkingPolicy.Holder], _ isFirst: Bool, _ p: SignInStore.Presented
    ) async throws(Rejection) -> SignInMachine.Event {
        let methods = signInMethods(of: p.session.client)
        let proved = holders.filter(\.proved).map(\.account)
        let price = isFirst ? claimPrice(p) : []
        let charged = try await rejecting(logger) { try await store.chargeClaim(proved, ways: methods, price) }
        let judged = holders.map { holder in
            var holder = holder
            holder.active = holder.active && charged.provable.contains(holder.account)
            return holder
        }
        return .claimCharged(withinBudget: charged.isWithinBudget, holders: judged)
    }

    private func claimPrice(_ p: SignInStore.Presented) -> [Throttle] {
        guard let address = p.identity.address else { return [] }
        return throttles.addressClaim(on: address, address: p.session.caller.address)
    }

    /// An unknown identity may have come with its app from another team: then it is looked up again.
    private func lookUp(
        _ p: SignInStore.Presented, _ machine: SignInMachine
    ) async throws(Rejection) -> SignInMachine.Event {
        var new: AccountToMake?
        if p.identity.former == nil, let action = machine.unlessKnown {
            new = newAccount(action, p, p.session.client.linkingPolicy.explain(machine.facts))
        }
        let found = try await rejecting(logger) { [new] in try await store.lookUp(p, orMaking: new) }
        if let new, case .signedIn(_, isNew: true) = found { note(new.explain, p) }
        guard case .unknown = found, try await adoptFormer(p) else { return found }
        return try await rejecting(logger) { try await store.lookUp(p, orMaking: nil) }
    }

    /// The account that an action of the machine makes; nil for other actions.
    private func newAccount(
        _ action: SignInMachine.Action, _ p: SignInStore.Presented, _ explain: JSON
    ) -> AccountToMake? {
        guard case .createAccount(let rule, let withAddress, let takesAddress) = action else { return nil }
        // A relay address is kept for contact, even where linking may not look at it.
        let keepsRelay = p.identity.emailIsRelay && rule != .linkDeclined
        return AccountToMake(
            account: starter.newID(), identity: p.declined?.identity ?? starter.newID(),
            address: withAddress || keepsRelay ? p.identity.address : nil,
            takesAddress: takesAddress || (keepsRelay && p.identity.emailVerified), rule: rule, explain: explain)
    }

    /// Moves the identity of the app's former team to the presented identity.
    ///
    /// - Returns: false where the former identity is unknown.
    /// - Throws: `accountConflict` where another account has the presented identity.
    func adoptFormer(_ p: SignInStore.Presented) async throws(Rejection) -> Bool {
        guard let former = p.identity.former else { return false }
        let adoption = try await rejecting(logger) { try await store.adopt(p, former) }
        guard adoption != .conflict else {
            logger.critical(
                "a transferred identity has another owner",
                metadata: ["request_id": "\(p.session.caller.requestID)", "provider": "\(p.identity.provider)"])
            throw .accountConflict
        }
        return adoption == .adopted
    }

    private func ask(
        _ p: SignInStore.Presented, _ account: UUID, _ explain: JSON
    ) async throws(Rejection) -> SignInMachine.Event {
        let flow = starter.newID()
        let state = LinkFlowState(
            identityID: starter.newID(), identity: p.identity, token: p.token, provedAt: p.session.authTime)
        let pending = PendingStep(
            flow: flows.text(FlowReference(flow, .linkAccount, client: p.session.client.id)),
            expiresIn: Self.linkFlowLife,
            step: .linkAccount(maskedEmail: p.identity.address?.masked ?? "•••"))
        return try await rejecting(logger) {
            try await store.openLinkFlow(
                p, flow: flow, account: account, addressKey: p.identity.linkingKey ?? "", state: state,
                seconds: Self.linkFlowLife, explain: explain, pending: pending)
        }
    }

    /// The decision's reasons for the audit log; they are logged, too.
    private func explained(_ rule: LinkingPolicy.Rule, _ machine: SignInMachine, _ p: SignInStore.Presented) -> JSON {
        let explain: JSON =
            switch rule {
            case .accompanyingSession:
                ["rule": .string(rule.rawValue), "session": machine.session.map { .string($0.id.text) } ?? .null]
            case .linkDeclined: ["rule": .string(rule.rawValue)]
            default: p.session.client.linkingPolicy.explain(machine.facts)
            }
        note(explain, p)
        return explain
    }

    private func note(_ explain: JSON, _ p: SignInStore.Presented) {
        logger.info(
            "a linking decision",
            metadata: [
                "request_id": "\(p.session.caller.requestID)", "provider": "\(p.identity.provider)",
                "explain": "\(explain.text)",
            ])
    }
}
