import Accounts
import ArgumentParser
import Foundation
import GatewaySettings
import JSON
import Logging
import Outbound
import Providers
import Telemetry

/// `gateway apple …`.
struct AppleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "apple", abstract: "Move an app's users to another developer team.",
        subcommands: [ExportTransfer.self, ImportTransfer.self])

    /// The rate of requests to Apple.
    struct Pace: ParsableArguments {
        @Option(help: "The maximum number of requests to Apple per second.")
        var perSecond = 10

        @Option(name: .customLong("client-id"), help: "The app to move. Default: the first configured app.")
        var clientID: String?

        func validate() throws {
            guard (1...100).contains(perSecond) else { throw ValidationError("--per-second takes 1 to 100.") }
        }

        var pause: Duration { .seconds(1) / perSecond }

        /// The configured Apple team.
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

    fileprivate static func json(_ summary: TransferProgress) -> JSON {
        let counts = summary.outcomes.sorted { $0.key < $1.key }
        return .object(JSONObject(counts.map { .init(name: $0.key, value: .integer($0.value)) }))
    }

    /// An Apple error as text for the operator.
    static func sentence(_ error: ProviderError) -> Failure {
        switch error {
        case .misconfigured(let reason): Failure("Apple refuses this team's key or client: \(reason).")
        default: Failure("Apple doesn't answer. Run the same command to resume.")
        }
    }
}

extension AppleCommand {
    struct ExportTransfer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Request transfer subjects for the users of this team.",
            discussion: """
                Run it with the old team's configuration, before Apple moves the app or within 60 days after. Each line of \
                the file is a JSON object with an identity id and its transfer subject. To resume a stopped run, use the \
                same command.

                Exit status: 65 if Apple refuses some identities, whose users have disconnected the app.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var pace: Pace

        @Option(help: "The id of the receiving team.")
        var target: String

        @Option(help: "The file to write or resume.")
        var output: String

        @Flag(help: "Only count the identities.")
        var dryRun = false

        @OptionGroup var form: OutputOptions

        func validate() throws {
            guard target.utf8.count == 10,
                target.utf8.allSatisfy({ (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) })
            else { throw ValidationError("--target takes a team id: ten capitals and digits.") }
        }

        func run() async throws {
            try await Operator.run(options, for: .signInMethods) { configuration, pool in
                let transfer = try pace.transfer(configuration)
                guard transfer.teamID != target else { throw ValidationError("--target: \(target) is this team.") }
                let store = TransferStore(pool: pool)
                if dryRun {
                    let count = try await store.count(ProviderID.apple.rawValue, of: transfer.teamID)
                    return form.report(
                        "\(count) identities of \(transfer.teamID) would be exported", ["identities": .integer(count)])
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
            form.report(TransferBar.text(summary), AppleCommand.json(summary))
            return summary
        }
    }

    struct ImportTransfer: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Exchange transfer subjects for the subjects of this team.",
            discussion: """
                Run it with the new team's configuration, within 60 days after Apple has moved the app. Each line is one \
                transaction. To resume a stopped run, use the same command. Identities that can't be exchanged stay \
                unchanged, and the command prints their ids.

                Exit status: 65 if an identity was skipped.
                """)

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var pace: Pace

        @Option(help: "The file that export-transfer wrote.")
        var file: String

        @Flag(help: "Count the exchanges. Send no requests and change nothing.")
        var dryRun = false

        @OptionGroup var consent: Confirmation
        @OptionGroup var form: OutputOptions

        func run() async throws {
            if !dryRun { try consent.require("Apple's subjects are replaced by those of this team.", of: file) }
            try await Operator.run(options, for: .signInMethods) { configuration, pool in
                let transfer = try pace.transfer(configuration)
                let work = TransferImport(
                    store: TransferStore(pool: pool), transfer: transfer, pause: pace.pause,
                    requestID: Operator.requestID, isDry: dryRun)
                let summary = try await bring(work)
                form.report((dryRun ? "would be: " : "") + TransferBar.text(summary), AppleCommand.json(summary))
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
                for identity in conflicts {
                    Terminal.complain("conflict: identity \(identity.uuidString.lowercased())")
                }
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
