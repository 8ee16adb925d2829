import ArgumentParser
import Clients
import GatewaySettings
import JSON
import OperatorAccess
import Operators
import Telemetry

extension ClientsCommand {
    /// `gateway clients apply FILE`.
    struct Apply: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Give every app the settings that a file declares.",
            discussion: """
                The file is YAML or JSON: a list `clients`; each item has an `id` and the settings that differ from the \
                defaults. An omitted setting gets its default. `gateway clients export` prints such a file. The same \
                file again changes nothing.

                All changes happen together or not at all. Apps that the file omits stay unchanged, and are listed. \
                A new confidential app's secret is printed once.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Argument(help: "The file, or - for standard input.", completion: .file(extensions: ["yaml", "yml", "json"]))
        var file: String
        @Flag(help: "Print the changes without making them.") var dryRun = false
        @Flag(help: "Disable the apps that the file omits, except the console's.") var disableOthers = false
        @OptionGroup var why: ReasonOption
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func run() async throws {
            if disableOthers, !dryRun {
                try consent.require("Every app that the file omits is disabled, and its sessions end.", of: file)
            }
            let file = try read()
            // The console's client is a setting.
            try await Operator.run(options, for: .signInMethods, about: .client) { configuration, pool in
                let clients = try Operator.services(configuration, pool, for: .signInMethods).clients
                let application = try await declared(file) {
                    try await clients.apply(
                        ClientDeclaration.all(in: file.json), disablesOthers: disableOthers,
                        keeping: configuration.operators.consoleClient, isDryRun: dryRun, because: why.reason(),
                        by: .commandLine(requestID: Operator.requestID))
                }
                report(application)
            }
        }

        private func read() throws -> ClientFile {
            do {
                return try ClientFile(path: file)
            } catch let failure as Failure {
                Terminal.complain(failure.description)
                throw ExitStatus.badData
            }
        }

        /// Adds the line of the file to a refusal.
        private func declared<Value>(_ file: ClientFile, _ body: () async throws -> Value) async throws -> Value {
            do {
                return try await body()
            } catch let refused as ClientDesk.RefusedDeclaration {
                throw Self.failure(refused.refusal, of: refused.id, file)
            } catch let refusal as AdminRefusal {
                throw Self.failure(refusal, of: nil, file)
            }
        }

        private static func failure(_ refusal: AdminRefusal, of id: String?, _ file: ClientFile) -> Failure {
            let app = id.map { "App \($0): " } ?? ""
            guard case .invalidMember(let pointer, let reason, let accepted) = refusal else {
                return Failure("\(app)\(CommandRefusal.sentence(refusal, .client)) Nothing has changed.")
            }
            let place = file.place(of: pointer).map { " (\($0))" } ?? ""
            let name = pointer.isEmpty ? "the file" : String(pointer.dropFirst())
            let choice = accepted.isEmpty ? "" : " Accepted: \(accepted.joined(separator: ", "))."
            return Failure("\(app)\(name)\(place): \(reason).\(choice) Nothing has changed.")
        }

        private func report(_ application: ClientDesk.Application) {
            if output.json { return application.applied.forEach { Terminal.write(Self.json($0, isDry: dryRun).text) } }
            for line in Difference.lines(application) { Terminal.write(line) }
            let summary = Difference.summary(application)
            Terminal.write(dryRun ? "Dry run: \(summary). Nothing has changed." : "\(summary).")
            guard !dryRun else { return }
            for one in application.applied {
                guard let secret = one.secret else { continue }
                Terminal.write("Secret of \(one.id), shown once: \(secret)")
            }
        }

        private static func json(_ one: ClientDesk.Applied, isDry: Bool) -> JSON {
            [
                "id": .string(one.id), "before": one.before ?? .null, "after": one.after,
                "secret": isDry ? .null : one.secret.map(JSON.string) ?? .null,
            ]
        }
    }

    /// `gateway clients export`.
    struct Export: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the apps as a YAML file for `gateway clients apply`, without secrets.")

        @OptionGroup var options: ConfigurationOptions
        @Flag(help: "Print the file as JSON.") var json = false

        func run() async throws {
            try await Operator.serve(options, for: .records) { services, actor in
                let clients = try await services.clients.list(by: actor).map(ClientDeclaration.declaring)
                Terminal.write(
                    json
                        ? JSON.object(["clients": .array(clients.map(JSON.object))]).text
                        : try ClientFile.yaml(clients))
            }
        }
    }
}
