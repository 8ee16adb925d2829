import ArgumentParser
import JSON
import Messages
import Telemetry

/// `gateway doctor`.
struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check a running deployment: address, TLS, database, keys, mail and providers.",
        discussion: """
            Reads the same settings as serve and changes nothing, except that --mail-to sends one test mail. Every \
            failed check prints its remedy. Exit status: 0, 78 for a wrong configuration, 1 if a check failed.
            """)

    @OptionGroup var options: ConfigurationOptions
    @OptionGroup var mail: TestMailOption
    @Flag(help: "Print one JSON object instead of lines.") var json = false

    func run() async throws {
        let configuration = try options.load()
        let recipient = try mail.recipient()
        let report = try await DeploymentDiagnosis.checked(configuration) { deployment in
            let checks = try deployment.checks(mailTo: recipient)
            return json ? await CheckRun.quietly(checks) : await CheckRun().run(checks)
        }
        Terminal.write(json ? report.json.text : "\(report.summary).")
        if report.hasFailed { throw ExitStatus.failure }
    }
}

/// The recipient of a test mail.
struct TestMailOption: ParsableArguments {
    @Option(help: "Send a test mail to this address.") var mailTo: String?

    func recipient() throws -> MailAddress? {
        guard let mailTo else { return nil }
        guard let address = try? MailAddress(mailTo) else {
            throw ValidationError("--mail-to: \(mailTo) is not an e-mail address.")
        }
        return address
    }
}
