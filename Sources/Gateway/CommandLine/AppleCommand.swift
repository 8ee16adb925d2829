import Accounts
import ArgumentParser
import Foundation
import Logging
import Providers

/// `gateway apple …`.
struct AppleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple", abstract: "Move an app's people to another developer team.",
        subcommands: [ExportTransfer.self, ImportTransfer.self])

    /// The pace at which Apple is asked.
    struct Pace: ParsableArguments {
        @Option(help: "How many people Apple is asked about a second, at most.")
        var perSecond = 10

        @Option(name: .customLong("client-id"), help: "The app that moves; without it, the first that is configured.")
        var clientID: String?

        func validate() throws {
            guard (1...100).contains(perSecond) else { throw ValidationError("--per-second takes 1 to 100.") }
        }

        var pause: Duration { .seconds(1) / perSecond }

        /// This team at Apple, as it is configured.
        func transfer(_ configuration: GatewayConfiguration) throws -> AppleTeamTransfer {
            let outbound = HTTPClient(
                configuration: OutboundConfiguration(
                    insecureAllowLocal: configuration.providers.allowsLocalProviders))
            let registry = try OutboundServices.registry(configuration.providers, outbound, Logger(label: "transfer"))
            guard let apple = registry[.apple] as? AppleProvider, let transfer = apple.teamTransfer(of: clientID) else {
                throw Failure("Apple is not configured with a key: APPLE_TEAM_ID, APPLE_KEY_ID, APPLE_PRIVATE_KEY.")
            }
            return transfer
        }
    }

    /// What Apple's trouble means to an operator.
    static func sentence(_ error: ProviderError) -> Failure {
        switch error {
        case .misconfigured(let reason): Failure("Apple refuses this team's key or client: \(reason).")
        default: Failure("Apple doesn't answer. The same command goes on from here.")
        }
    }
}

extension AppleCommand {
    struct ExportTransfer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Ask who this team's people will be in another team.",
            discussion: """
                To be run with the old team's configuration, before Apple moves the app or within 60 days after. The file \
                gets one JSON object a line, with an identity's id and its transfer subject. Stopped at any moment, the \
                same command goes on from there.

                Ends with 65 when Apple does not transfer some of them: people who have disconnected the app.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var pace: Pace

        @Option(help: "The id of the team that gets the app.")
        var target: String

        @Option(help: "The file to write, or to go on with.")
        var output: String

        @Flag(help: "Only say how many it would be.")
        var dryRun = false

        func validate() throws {
            guard target.utf8.count == 10,
                target.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
            else { throw ValidationError("--target takes a team id: ten capitals and digits.") }
        }

        func run() async throws {
            try await Operator.run(options) { configuration, pool in
                let transfer = try pace.transfer(configuration)
                guard transfer.teamID != target else { throw Failure("\(target) is this team.") }
                let store = TransferStore(pool: pool)
                if dryRun {
                    let count = try await store.count(ProviderID.apple.rawValue, of: transfer.teamID)
                    return Console.write("\(count) people of \(transfer.teamID) would be asked about")
                }
                let file = try TransferFile(path: output)
                let work = TransferExport(store: store, transfer: transfer, target: target, pause: pace.pause)
                let summary = try await export(work, file)
                if summary.outcomes["refused"] != nil { throw ExitStatus.badData }
            }
        }

        private func export(_ work: TransferExport, _ file: TransferFile) async throws -> TransferProgress {
            var bar = TransferBar()
            var summary = TransferProgress(total: 0)
            do {
                defer { bar.end() }
                try await work.run(except: file.written, write: file.append) { state in
                    summary = state
                    bar.show(state)
                }
            } catch let error as ProviderError {
                throw AppleCommand.sentence(error)
            }
            Console.write(TransferBar.text(summary))
            return summary
        }
    }

    struct ImportTransfer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make the people of an app that came from another team who they are in this one.",
            discussion: """
                To be run with the new team's configuration, within 60 days after Apple has moved the app. Each line is \
                one transaction; stopped at any moment, the same command goes on. Whoever can't become who they are in \
                this team is named by the id of the identity, and stays as they were.

                Ends with 65 when somebody was left out.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var pace: Pace

        @Option(help: "What export-transfer wrote.")
        var file: String

        @Flag(help: "Count what would be done; ask Apple nothing, change nothing.")
        var dryRun = false

        func run() async throws {
            try await Operator.run(options) { configuration, pool in
                let transfer = try pace.transfer(configuration)
                let work = TransferImport(
                    store: TransferStore(pool: pool), transfer: transfer, pause: pace.pause,
                    requestID: Operator.requestID, isDry: dryRun)
                let summary = try await bring(work)
                Console.write((dryRun ? "would be: " : "") + TransferBar.text(summary))
                if summary.outcomes.keys.contains(where: { !["moved", "done"].contains($0) }) {
                    throw ExitStatus.badData
                }
            }
        }

        private func bring(_ work: TransferImport) async throws -> TransferProgress {
            var counter = LineReader(try opened())
            var total = 0
            while try counter.next() != nil { total += 1 }
            var reader = LineReader(try opened())
            var bar = TransferBar()
            var conflicts: [UUID] = []
            do {
                defer { bar.end() }
                let summary = try await work.run(
                    &reader, total: total, conflict: { conflicts.append($0) }, progress: { bar.show($0) })
                bar.end()
                for identity in conflicts { Console.complain("conflict: identity \(identity.uuidString.lowercased())") }
                return summary
            } catch let error as ProviderError {
                throw AppleCommand.sentence(error)
            }
        }

        private func opened() throws -> FileHandle {
            guard let handle = FileHandle(forReadingAtPath: file) else { throw Failure("\(file) can't be read.") }
            return handle
        }
    }
}
