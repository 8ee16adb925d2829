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
        _ action: AccountAction, _ id: UUID, _ visit: ConsoleVisit, _ problem: ConsoleRefusal? = nil
    ) async throws -> ConfirmChangePage {
        let account = Facts(try await services.records.dossier(id, by: visit.actor))
        var problem = problem
        var chosen = [HiddenField(name: "do", value: action.name)]
        var arguments = action.details(AccountState(account.members), services)
        arguments["account"] = account.accountName ?? account.id
        if let field = action.part.field {
            chosen.append(HiddenField(name: field, value: visit.fields[field] ?? ""))
            arguments["what"] = try Self.name(of: action.part, visit.fields[field], account)
        }
        var asks = action.asked.map { asked($0, visit) }
        var isComplete = true
        if let other = action.arguments.first(where: { $0.kind == .otherAccount }) {
            do {
                let target = try await target(visit.fields[other.name], visit)
                arguments["target"] = target?.name
                isComplete = target != nil
                if let target { chosen.append(HiddenField(name: other.name, value: target.id.text)) }
            } catch let refusal as AdminRefusal {
                (isComplete, problem) = (false, problem ?? Self.refusal(refusal))
            }
            if !isComplete { asks = [.init(name: other.name, value: visit.fields[other.name] ?? "")] }
        }
        return ConfirmChangePage(
            frame: frame(visit, .search, problem), action: action, account: account, arguments: arguments,
            endsSessions: Self.endsSessions(action, account, visit),
            target: ConsoleAddress.ofAccount(account.id, "change"), chosen: chosen,
            back: ConsoleAddress.ofAccount(account.id), asks: asks,
            reason: visit.fields["reason"] ?? "", isComplete: isComplete)
    }

    private func asked(_ argument: ActionArgument, _ visit: ConsoleVisit) -> ConfirmChangePage.AskedField {
        let typed = visit.fields[argument.name] ?? ""
        return .init(
            name: argument.name, value: typed, isExplained: true,
            choices: argument.kind == .provider ? realms(typed) : [])
    }

    /// A realm has one provider, so one list offers both.
    private func realms(_ typed: String) -> [(value: String, label: String)] {
        let choices = services.providers.realms.map {
            (value: "\($0.provider) \($0.realm)", label: "\(providerName($0.provider)) – \($0.realm)")
        }
        // An address may name a former realm, which the list would lose.
        let isListed = typed.isEmpty || choices.contains { $0.value == typed }
        return isListed ? choices : choices + [(typed, typed)]
    }

    /// The name of the part of the account that the change affects.
    private static func name(of part: AccountAction.Part, _ id: String?, _ account: Facts) throws(AdminRefusal)
        -> String
    {
        switch part {
        case .identity:
            let identity = try item(id, of: account.list("identities"))
            return identity["email"] ?? identity["subject"] ?? identity.id
        case .session:
            let session = try item(id, of: account.list("sessions"))
            return RecordPage.deviceName(session) ?? session.id
        case .account, .address, .sessions, .changes: return id ?? ""
        }
    }

    private static func item(_ id: String?, of list: [Facts]) throws(AdminRefusal) -> Facts {
        guard let item = list.first(where: { $0.id == id }) else { throw .notFound }
        return item
    }

    private func target(_ typed: String?, _ visit: ConsoleVisit) async throws -> (id: UUID, name: String)? {
        guard let typed else { return nil }
        let id = try await services.records.account(named: typed, by: visit.actor)
        let account = Facts(try await services.records.dossier(id, by: visit.actor))
        return (id, account.accountName ?? account.id)
    }

    /// The number of sessions that would end; nil if none does or the change's own sentence states it.
    private static func endsSessions(_ action: AccountAction, _ account: Facts, _ visit: ConsoleVisit) -> Int? {
        let sessions = account.list("sessions")
        return switch action.ends {
        case .all: sessions.count
        case .ofIdentity: sessions.filter { $0["identity_id"] == visit.fields["identity"] }.count
        case .none: nil
        }
    }
}
