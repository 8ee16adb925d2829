import ArgumentParser
import Foundation
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

    func run() async throws {
        try await Operator.serve(options) { services, actor in
            let account = try await named.find(services, actor)
            var sent = arguments.sent
            for argument in Self.action.arguments where argument.kind == .otherAccount {
                let typed = sent[argument.name]?.string ?? ""
                sent[argument.name] = .string(try await AccountsCommand.Named.find(typed, services, actor).text)
            }
            let change = ActionRequest(Self.action, of: account, sent, because: try why.reason(), by: actor, services)
            if let report = Self.report(try await change.perform(), account) { Terminal.write(report) }
        }
    }

    private static func report(_ outcome: ActionOutcome, _ account: UUID) -> String? {
        switch outcome {
        case .done(let report, let due):
            report.map { "\(account.text) \($0)" + (due.map { " from \(RFC3339.text($0)) on" } ?? "") }
        case .changed(let change, let report): "\(report). To undo: gateway accounts undo \(change.text)"
        case .deletion(let waits): "\(account.text) is deleted" + (waits.map { " on \(RFC3339.text($0.dueAt))" } ?? "")
        case .exported: nil
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
