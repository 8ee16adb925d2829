package import ArgumentParser
import Glibc
import Settings
import Telemetry

/// The end of a command that did not run: it prints the help, or the error in its arguments.
package enum CommandEnd {
    /// Runs the command of some arguments, and ends the program after any error.
    package static func run(_ root: any AsyncParsableCommand.Type, _ arguments: [String]) async {
        var command: any ParsableCommand
        do {
            command = try await root.asyncParseAsRoot(arguments)
        } catch {
            end(text(for: error, of: root, arguments), root.exitCode(for: error))
        }
        do {
            if var asynchronous = command as? any AsyncParsableCommand {
                try await asynchronous.run()
            } else {
                try command.run()
            }
        } catch let error as ValidationError {
            // The parser would add the usage of the whole program.
            end("Error: \(error.message)", .validationFailure)
        } catch {
            end(text(for: error, of: root, arguments), root.exitCode(for: error))
        }
    }

    private static func end(_ text: String, _ status: ExitCode) -> Never {
        if !text.isEmpty { status.isSuccess ? Terminal.write(text) : Terminal.complain(text) }
        exit(status.rawValue)
    }

    /// The parser's text, with the exit statuses below a help, and a suggestion for an unknown command.
    package static func text(for error: any Error, of root: any ParsableCommand.Type, _ arguments: [String]) -> String {
        let text = root.fullMessage(for: error)
        if root.exitCode(for: error).isSuccess {
            // Versions, completions and descriptions for programs end without an error too.
            let isOpenHelp = text.contains("\nUSAGE: ") && !text.contains(ExitStatus.title)
            return isOpenHelp ? "\(text)\n\n\(ExitStatus.help)" : text
        }
        guard let (group, word, known) = unknownCommand(arguments, below: root) else { return text }
        let usage = text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().joined(separator: "\n")
        return "Error: \(group) has no command '\(word)'.\(NearestWord.hint(word, among: known))\n\(usage)"
    }

    /// The first word that is no command of its group.
    private static func unknownCommand(
        _ arguments: [String], below root: any ParsableCommand.Type
    ) -> (group: String, word: String, known: [String])? {
        var (command, path) = (root, [root._commandName])
        for word in arguments.prefix(while: { !$0.hasPrefix("-") }) {
            let commands = command.configuration.subcommands
            guard !commands.isEmpty, word != "help" else { return nil }
            guard let next = commands.first(where: { $0._commandName == word }) else {
                return (path.joined(separator: " "), word, commands.map { $0._commandName })
            }
            command = next
            path.append(word)
        }
        return nil
    }
}
