import ArgumentParser
import Cryptography
import Foundation
import GatewaySettings
import Glibc
import HTTPServer
import Settings
import Telemetry

/// `gateway init`.
struct InitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init",
        abstract: "Write the settings of a new deployment, and check everything that it needs.",
        discussion: """
            On a terminal, init asks for every setting that is missing; elsewhere the options must be complete. A secret \
            is typed without echo, or read from the environment variable of its name, such as SMTP_PASSWORD. Fresh \
            master keys are generated. An existing file is never changed.

            After the file, init checks DNS, TLS, the database, the mail server and each provider, and prints the \
            addresses to enter in the providers' consoles. Exit status: 0, 78 for a wrong setting (then nothing is \
            written), 73 if the file cannot be created, 1 if a check failed.
            """)

    @OptionGroup var options: InitOptions
    @Option(help: "The file to write.", completion: .file()) var output = ".env"
    @OptionGroup var mail: TestMailOption
    @Flag(help: "Write the file without checking DNS, TLS, database, mail and providers.") var skipChecks = false

    func run() async throws {
        let recipient = try mail.recipient()
        try refuseExisting()
        let values = try completed()
        let configuration = try checked(values)
        try write(values.text)
        Terminal.write("\nWrote \(output). It holds secrets: back it up, and keep it private.\n")
        let report = try await DeploymentDiagnosis.checked(configuration) { diagnosis in
            Terminal.write(ProviderEntries.text(diagnosis.providers, publicURL: configuration.server.publicURL))
            return skipChecks ? CheckReport() : await CheckRun().run(try diagnosis.checksBeforeStart(mailTo: recipient))
        }
        Terminal.write("\n" + ConfigurationSummary.text(configuration, withDefaults: false))
        for warning in configuration.warnings { Terminal.complain("warning: \(warning)") }
        guard report.hasFailed else { return Terminal.write(next) }
        Terminal.complain("\(report.summary). Correct \(output) where a check failed, then run gateway doctor.")
        throw ExitStatus.failure
    }

    private var next: String {
        let file = output == ".env" ? "" : " --env-file \(output)"
        return
            "\nNext: gateway migrate\(file), then gateway serve\(file). gateway doctor\(file) checks the running deployment."
    }

    // MARK: Settings

    /// The given values, completed on a terminal and by generated ones.
    private func completed() throws -> SetupValues {
        var values = try options.values()
        if TerminalPrompt.isAvailable {
            let dialogue = SetupDialogue(ask: TerminalPrompt.line, say: Terminal.write)
            do {
                try dialogue.complete(&values, providers: options.provider.isEmpty ? nil : options.provider)
            } catch {
                Terminal.complain("\nThe setup ended early. Nothing was written.")
                throw ExitStatus.failure
            }
        }
        if values[.environment] == nil { values[.environment] = values.suitableEnvironment }
        if values[.masterKeys] == nil {
            values[.masterKeys] = "k1:\(Base64URL.encode(RandomBytes.system(32)))"
        }
        return values
    }

    private func checked(_ values: SetupValues) throws -> GatewayConfiguration {
        do {
            return try values.configuration()
        } catch {
            Terminal.complain("\(error.description)\nNothing was written.")
            throw ExitStatus.configuration
        }
    }

    // MARK: File

    private func refuseExisting() throws {
        guard unsafe access(output, F_OK) == 0 else { return }
        Terminal.complain("\(output) already exists. Name a new file with --output, or move the existing one.")
        throw ExitStatus.cannotCreate
    }

    /// Creates the complete file at once: a link never replaces a file that another process made meanwhile.
    private func write(_ text: String) throws {
        let draft = "\(output).\(ProcessInfo.processInfo.processIdentifier).new"
        guard let file = OutputFile.make(draft) else { throw cannotWrite() }
        defer { unsafe unlink(draft) }
        do {
            try file.write(contentsOf: Data(text.utf8))
            try file.synchronize()
        } catch {
            throw cannotWrite()
        }
        guard unsafe link(draft, output) == 0 else { throw cannotWrite() }
    }

    private func cannotWrite() -> ExitCode {
        Terminal.complain("\(output) can't be written. Name a new file in a writable folder with --output.")
        return ExitStatus.cannotCreate
    }
}
