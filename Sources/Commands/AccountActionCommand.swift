import ArgumentParser
import GatewaySettings
import JSON
import OperatorAccess
import Operators
import Telemetry
import Vocabulary

/// The command of an action on an account: the action at one place of ``AccountAction/all(_:)``.
///
/// ArgumentParser needs a type for each command, so each place is a type.
struct AccountActionCommand<Place: ListPlace>: AsyncParsableCommand {
    static var action: AccountAction { AccountAction.all(.command)[Place.index] }
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: action.word, abstract: action.help, discussion: action.discussion)
    }

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var named: AccountsCommand.Named
    @OptionGroup var arguments: ActionOptions<Place>
    @OptionGroup var why: ReasonOption
    @OptionGroup var output: OutputOptions

    func run() async throws {
        if Self.action.asksFirst { try arguments.consent.require(Self.action.help, of: named.account) }
        try await Operator.serve(options, for: .signInMethods) { services, actor in
            let account = try await named.find(services, actor)
            var sent = arguments.sent
            for argument in Self.action.arguments where argument.kind == .otherAccount {
                let typed = sent[argument.name]?.string ?? ""
                sent[argument.name] = .string(try await AccountsCommand.Named.find(typed, services, actor).text)
            }
            let change = ActionRequest(Self.action, of: account, sent, because: try why.reason(), by: actor, services)
            report(try await change.perform(), account.text)
        }
    }

    private func report(_ outcome: ActionOutcome, _ account: String) {
        func report(_ sentence: String, _ name: String, _ value: String?) {
            output.report(sentence, ["account": .string(account), name: value.map(JSON.string) ?? .null])
        }
        switch outcome {
        case .done(let words, let due):
            let from = due.map { RFC3339.text($0) }
            report("\(account) \(words)" + (from.map { " from \($0) on" } ?? ""), "from", from)
        case .changed(let change, let words):
            report("\(words). To undo: gateway accounts undo \(change.text)", "change", change.text)
        case .deletion(let waits):
            let due = waits.map { RFC3339.text($0.dueAt) }
            report("\(account) has no session and is deleted" + (due.map { " on \($0)" } ?? ""), "due_at", due)
        case .exported: break
        }
    }
}

/// A place in a list, as a type.
protocol ListPlace: Sendable {
    static var index: Int { get }
}

enum FirstPlace: ListPlace {
    static let index = 0
}

enum PlaceAfter<Place: ListPlace>: ListPlace {
    static var index: Int { Place.index + 1 }
}

extension AccountAction {
    /// The commands of all actions from this place on.
    static func commands<Place: ListPlace>(from place: Place.Type = FirstPlace.self) -> [any ParsableCommand.Type] {
        guard place.index < all(.command).count else { return [] }
        return [AccountActionCommand<Place>.self] + commands(from: PlaceAfter<Place>.self)
    }
}
