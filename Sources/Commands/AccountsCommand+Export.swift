import Accounts
import ArgumentParser
import Foundation
import GatewaySettings
import Operators
import Telemetry

/// The command that exports the data of an account into a file.
extension AccountsCommand {
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Export all data of an account, as one JSON document.",
            discussion: "The export contains no secret, hash or token. The audit log records it.")

        @OptionGroup var options: ConfigurationOptions
        @OptionGroup var named: Named
        @OptionGroup var why: ReasonOption
        @Option(help: ArgumentHelp("The new file to write. Default: standard output.", valueName: "path"))
        var output: String?

        /// The time limit for reading a long history.
        private static let patience = Duration.seconds(600)

        func run() async throws {
            try await Operator.serve(options, for: .records) { services, actor in
                let account = try await named.find(services, actor)
                try await services.leaving.export(
                    account, to: try opened(), timeout: Self.patience, because: why.reason(), by: actor)
                if let output { Terminal.write("Wrote \(output). It holds personal data.") }
            }
        }

        /// A new file, readable by its owner only.
        private func opened() throws -> SpoolFile {
            guard let output else { return SpoolFile(.standardOutput) }
            do {
                return SpoolFile(try OutputFile.handle(for: output))
            } catch {
                throw Failure(error.text)
            }
        }
    }
}
