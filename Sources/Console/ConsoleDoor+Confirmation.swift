import Accounts
import Foundation
import HTTPServer
import JSON
import OperatorAccess
import Operators
import Pages

/// The described effect of a change of an account.
extension ConsoleDoor {
    func confirmation(
        _ action: ConsoleAction, _ id: UUID, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil
    ) async throws -> ConfirmChangePage {
        let account = Facts(try await services.records.dossier(id, by: visit.actor))
        var problem = problem
        var chosen = [HiddenField(name: "do", value: action.rawValue)]
        var arguments = ["account": account.accountName ?? account.id]
        var asks: [ConfirmChangePage.AskedField] = []
        var isComplete = true
        for (name, what) in try Self.subject(of: action, account, visit) {
            chosen.append(HiddenField(name: name, value: visit.fields[name] ?? ""))
            arguments["what"] = what
        }
        switch action {
        case .move:
            do {
                let target = try await target(visit)
                arguments["target"] = target?.name
                isComplete = target != nil
                if let target { chosen.append(HiddenField(name: "to", value: target.id.text)) }
            } catch let refusal as AdminRefusal {
                (isComplete, problem) = (false, problem ?? Self.refusal(refusal))
            }
            if !isComplete { asks = [.init(name: "to", value: visit.fields["to"] ?? "")] }
        case .link:
            asks = linkFields(visit)
        case .deleteAccount: arguments["days"] = "\(services.leaving.waitingDays)"
        case .removeFactors: arguments["hours"] = "\(services.care.factorWaitHours)"
        case .keepFactors: arguments["date"] = account["factor_removal_due_at"] ?? ""
        case .cancelDeletion: arguments["date"] = account.part("deletion")["due_at"] ?? ""
        default: break
        }
        return ConfirmChangePage(
            frame: frame(visit, .search, problem), action: action, account: account, arguments: arguments,
            endsSessions: Self.endsSessions(action, account, visit),
            target: ConsoleAddress.ofAccount(account.id, "change"), chosen: chosen,
            back: ConsoleAddress.ofAccount(account.id), asks: asks,
            reason: visit.fields["reason"] ?? "", isComplete: isComplete)
    }

    /// A realm has one provider, so one list offers both.
    private func linkFields(_ visit: ConsoleVisit) -> [ConfirmChangePage.AskedField] {
        let typed = visit.fields["provider"] ?? ""
        var choices = services.providers.realms.map {
            (value: "\($0.provider) \($0.realm)", label: "\(providerName($0.provider)) – \($0.realm)")
        }
        // An address may name a former realm, which the list would lose.
        if !typed.isEmpty, !choices.contains(where: { $0.value == typed }) { choices.append((typed, typed)) }
        return [
            .init(name: "provider", value: typed, isExplained: true, choices: choices),
            .init(name: "subject", value: visit.fields["subject"] ?? "", isExplained: true),
        ]
    }

    /// The part of the account that the change affects: the field that names it, and its label.
    private static func subject(of action: ConsoleAction, _ account: Facts, _ visit: ConsoleVisit) throws(AdminRefusal)
        -> [(field: String, name: String)]
    {
        switch action {
        case .unlink, .move:
            guard let identity = account.list("identities").first(where: { $0.id == visit.fields["identity"] }) else {
                throw .notFound
            }
            return [("identity", identity["email"] ?? identity["subject"] ?? identity.id)]
        case .endSession:
            guard let session = account.list("sessions").first(where: { $0.id == visit.fields["session"] }) else {
                throw .notFound
            }
            return [("session", RecordPage.deviceName(session) ?? session.id)]
        case .requireProof: return [("address", visit.fields["address"] ?? "")]
        default: return []
        }
    }

    private func target(_ visit: ConsoleVisit) async throws -> (id: UUID, name: String)? {
        guard let typed = visit.fields["to"] else { return nil }
        let id = try await services.records.account(named: typed, by: visit.actor)
        let account = Facts(try await services.records.dossier(id, by: visit.actor))
        return (id, account.accountName ?? account.id)
    }

    /// The number of sessions that would end.
    ///
    /// Nil if the change's own sentence states it or no session ends.
    private static func endsSessions(_ action: ConsoleAction, _ account: Facts, _ visit: ConsoleVisit) -> Int? {
        let sessions = account.list("sessions")
        switch action {
        case .disable, .endSessions, .requireProof, .requireReset, .deleteAccount: return sessions.count
        case .unlink, .move: return sessions.filter { $0["identity_id"] == visit.fields["identity"] }.count
        default: return nil
        }
    }
}
