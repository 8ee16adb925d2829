import Accounts
import Cryptography
import Foundation
import JSON
import Logging

/// How the machine's actions are carried out.
extension SignInService {
    /// Where the machine came to rest.
    enum Rest: Sendable {
        case signedIn(SignInStore.Person, isNew: Bool)
        /// Another account is to be proved.
        case asked(PendingStep)
        /// What was proved is kept in a flow with the id of the session; something more is due.
        case further
    }

    /// Does what the machine says until it rests.
    func drive(
        _ machine: inout SignInMachine, _ presented: SignInStore.Presented, _ request: SignInRequest
    ) async throws(Rejection) -> Rest {
        var action = SignInMachine.Action.lookUp
        var holders: [LinkingPolicy.Holder] = []
        var rest: Rest = .further
        var asking: SessionSnapshot?
        var claimPrice = claimPrice(presented)
        while true {
            switch action {
            case .lookUp:
                let found = try await lookUp(presented, machine)
                if case .signedIn(let person, let isNew) = found.0 { rest = .signedIn(person, isNew: isNew) }
                if case .unknown(let others) = found.0 { holders = others }
                action = try machine.lookedUp(found.1)
            case .finish:
                return rest
            case .chargeClaim(let found):
                let charged = try await chargeClaim(found, claimPrice, presented)
                // Each request pays once, however often the facts change under it.
                (holders, claimPrice) = (charged.holders, [])
                action = try machine.claimCharged(withinBudget: charged.isWithinBudget, holders: holders)
            case .askToLink(let account, _):
                let explain = explained(machine, presented, holders, nil)
                let (change, pending) = try await ask(presented, account: account, explain: explain)
                action = try machine.changed(change)
                if action == .finish { return .asked(pending) }
            case .proveSession:
                let session = try await proved(request)
                asking = session
                action = try machine.sessionProved(of: session.facts.account)
            case .createAccount, .link:
                let explain = explained(machine, presented, holders, asking)
                let (change, person) = try await perform(action, presented, asking, explain)
                if let person { rest = .signedIn(person, isNew: action.makesAccount) }
                action = try machine.changed(change)
            }
        }
    }

    private func claimPrice(_ p: SignInStore.Presented) -> [Throttle] {
        guard let address = p.identity.address else { return [] }
        return throttles.addressClaim(on: address, address: p.session.caller.address)
    }

    private func chargeClaim(
        _ holders: [LinkingPolicy.Holder], _ price: [Throttle], _ p: SignInStore.Presented
    ) async throws(Rejection) -> (isWithinBudget: Bool, holders: [LinkingPolicy.Holder]) {
        let ways = waysIn(of: p.session.client)
        let proved = holders.filter(\.proved).map(\.account)
        let charged = try await rejecting(logger) { try await store.chargeClaim(proved, ways: ways, price) }
        let judged = holders.map { holder in
            var holder = holder
            holder.active = holder.active && charged.provable.contains(holder.account)
            return holder
        }
        return (charged.isWithinBudget, judged)
    }

    private func lookUp(_ p: SignInStore.Presented, _ machine: SignInMachine) async throws(Rejection) -> (
        SignInStore.LookUp, SignInMachine.LookUp
    ) {
        let found = try await found(p, machine)
        switch found {
        case .signedIn: return (found, .signedIn)
        case .further: return (found, .further)
        case .unknown(let holders): return (found, .unknown(holders: holders))
        case .factsChanged: return (found, .factsChanged)
        case .refused(let rejection): return (found, .refused(rejection))
        }
    }

    /// An identity that nobody knows may be one that came with its app from another team; then it is looked up again.
    private func found(
        _ p: SignInStore.Presented, _ machine: SignInMachine
    ) async throws(Rejection) -> SignInStore.LookUp {
        var new: AccountToMake?
        if p.identity.former == nil, let action = machine.unlessKnown {
            new = newAccount(action, p, p.session.client.linkingPolicy.explain(machine.facts([])))
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
        return AccountToMake(
            account: starter.newID(), identity: starter.newID(),
            // A relay address is kept for contact, also where linking may not look at it.
            address: withAddress || p.identity.emailIsRelay ? p.identity.address : nil,
            takesAddress: takesAddress || (p.identity.emailIsRelay && p.identity.emailVerified), rule: rule,
            explain: explain)
    }

    /// Makes whoever was known in the team that an app came from who was presented; false where nobody was.
    ///
    /// - Throws: `.accountConflict` where that is somebody else already.
    func adoptFormer(_ p: SignInStore.Presented) async throws(Rejection) -> Bool {
        guard let former = p.identity.former else { return false }
        let adoption = try await rejecting(logger) { try await store.adopt(p, former) }
        guard adoption != .conflict else {
            logger.critical(
                "a transferred identity belongs to somebody else already",
                metadata: ["request_id": "\(p.session.caller.requestID)", "provider": "\(p.identity.provider)"])
            throw .accountConflict
        }
        return adoption == .adopted
    }

    private func perform(
        _ action: SignInMachine.Action, _ p: SignInStore.Presented, _ asking: SessionSnapshot?, _ explain: JSON
    ) async throws(Rejection) -> (SignInMachine.Change, SignInStore.Person?) {
        try await rejecting(logger) {
            switch action {
            case .createAccount:
                guard let new = newAccount(action, p, explain) else { throw Rejection.internalError }
                return try await store.createAccount(p, new)
            case .link(let account, let rule):
                return try await store.link(
                    p, account: account, identityID: starter.newID(), addressKey: p.identity.linkingKey ?? "",
                    asking: rule == .sessionBeside ? asking?.facts.session : nil, rule: rule, explain: explain)
            case .lookUp, .chargeClaim, .proveSession, .askToLink, .finish: throw Rejection.internalError
            }
        }
    }

    private func ask(
        _ p: SignInStore.Presented, account: UUID, explain: JSON
    ) async throws(Rejection) -> (SignInMachine.Change, PendingStep) {
        let flow = starter.newID()
        let state = LinkFlowState(
            identityID: starter.newID(), identity: p.identity, token: p.token, provedAt: p.session.authTime)
        let change = try await rejecting(logger) {
            try await store.openLinkFlow(
                p, flow: flow, account: account, addressKey: p.identity.linkingKey ?? "", state: state,
                seconds: Self.linkFlowLife,
                explain: explain)
        }
        let step = SignInStep.linkAccount(maskedEmail: p.identity.address?.masked ?? "•••")
        return (
            change,
            PendingStep(
                flow: flows.text(flow, .linkAccount, client: p.session.client.id), expiresIn: Self.linkFlowLife,
                step: step)
        )
    }

    private func explained(
        _ machine: SignInMachine, _ p: SignInStore.Presented, _ holders: [LinkingPolicy.Holder],
        _ asking: SessionSnapshot?
    ) -> JSON {
        let explain: JSON =
            if let asking {
                [
                    "rule": .string(LinkingPolicy.Rule.sessionBeside.rawValue),
                    "session": .string(asking.facts.session.text),
                ]
            } else {
                p.session.client.linkingPolicy.explain(machine.facts(holders))
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

extension SignInMachine.Action {
    fileprivate var makesAccount: Bool {
        if case .createAccount = self { true } else { false }
    }
}
