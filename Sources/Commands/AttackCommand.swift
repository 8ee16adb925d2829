import ArgumentParser
import Attacks
import Cryptography
import Foundation
import Outbound
import Telemetry

/// `gateway attack`.
struct AttackCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "attack",
        abstract: "Try attacks on your own deployment, from outside.",
        discussion: """
            Tries what a stranger can try, and names the row of docs/threat-model.md for each attack; docs/attack.md \
            describes them. A loopback address is attacked at once. Any other address must prove that it is yours: \
            the first run prints how.

            --client-id, --redirect-uri and --email allow attacks that need an app and a test account. Its password \
            is typed, or read from ATTACK_PASSWORD. The command signs the account in and ends some of these sessions, \
            has mails sent to it and to addresses that nobody has, and uses up throttles of your network.

            Exit status: 0, or 1 if a defence is broken. With --strict also 1 if an attack was not tried. Ctrl-C ends \
            the run with 1, and the report has what was tried.
            """)

    @Argument(
        help: ArgumentHelp("The address, such as http://localhost:8080.", valueName: "URL"),
        transform: { $0.hasSuffix("/") ? String($0.dropLast()) : $0 })
    var url: String
    @Option(name: .customLong("client-id"), help: "The id of an app.") var clientID: String?
    @Option(help: "A redirect address of that app.") var redirectURI: String?
    @Option(help: "The address of a test account without a second factor.") var email: String?
    @Option(help: "The key that an earlier run printed, for an address elsewhere.") var key: String?
    @Option(
        help: "Only this subject: \(Attack.Subject.allCases.map(\.rawValue).joined(separator: ", ")). Repeatable.",
        transform: Word.one(of: Attack.Subject.self))
    var subject: [Attack.Subject] = []
    @Option(help: "The most requests in a second, 1 to 50.") var rate = 10
    @Option(help: "The most requests of the run, 1 to 5000.") var requests = 1_000
    @Option(help: ArgumentHelp("Authorities to trust, in PEM, instead of the system's.", valueName: "FILE"))
    var caFile: String?
    @Flag(help: "Also fail if an attack was not tried.") var strict = false
    @Option(help: ArgumentHelp("Also write a report in JUnit's form.", valueName: "FILE")) var junit: String?
    @OptionGroup var output: OutputOptions

    func run() async throws {
        let exchange = try exchange()
        let target = Target(exchange, app: try app(), account: try account(), bounds: try bounds())
        let file = try junit.map(Self.reportFile)
        let key = exchange.isLoopback ? nil : try requireKey()
        try await requireGateway(target)
        if let key { try await requireOwnership(of: target, by: key) }
        if let reason = await target.wrongArgument() { throw Failure("This run would prove nothing: \(reason).") }
        let attacks = Attack.all.filter { subject.isEmpty || subject.contains($0.subject) }
        let (report, isInterrupted) = await Self.report(attacks, on: target)
        output.write(["row", "subject", "verdict", "attack", "detail"], report.rows)
        Terminal.complain("\(report.summary), \(target.requests) requests.")
        try file?.write(contentsOf: Data(report.junit.utf8))
        if report.isBroken || isInterrupted || strict && !report.isComplete { throw ExitStatus.failure }
    }

    private func exchange() throws -> RawExchange {
        if let caFile, !FileManager.default.isReadableFile(atPath: caFile) {
            throw ValidationError("\(caFile) can't be read.")
        }
        do throws(TransferError) {
            // Only the server matters, so a path would be a mistake.
            guard url.count(where: { $0 == "/" }) == 2, !url.contains("?") else { throw .invalidRequest("url path") }
            return try RawExchange(url, caBundle: caFile)
        } catch {
            throw ValidationError("\(url) is no address: write https://HOST or http://localhost:PORT.")
        }
    }

    private func bounds() throws -> Target.Bounds {
        try Limit.require(rate, in: 1...50, of: "--rate")
        try Limit.require(requests, in: 1...5_000, of: "--requests")
        return Target.Bounds(requestsPerSecond: rate, requests: requests)
    }

    private func app() throws -> Target.App? {
        switch (clientID, redirectURI) {
        case (nil, nil): nil
        case (let id?, let address?): Target.App(id: id, redirectURI: address)
        default: throw ValidationError("--client-id and --redirect-uri belong together.")
        }
    }

    private func account() throws -> Target.Account? {
        guard let email else { return nil }
        guard clientID != nil else { throw ValidationError("--email needs --client-id and --redirect-uri.") }
        let name = "ATTACK_PASSWORD"
        let typed = ProcessInfo.processInfo.environment[name] ?? (TerminalPrompt.isAvailable ? Self.ask(email) : nil)
        guard let typed else { throw ValidationError("Without a terminal, set \(name) to the password of \(email).") }
        return Target.Account(email: email, password: Secret(typed))
    }

    private static func ask(_ email: String) -> String? {
        TerminalPrompt.line("Password of \(email): ", isHidden: true)
    }

    private func requireGateway(_ target: Target) async throws {
        do {
            guard try await !target.isGateway() else { return }
        } catch {
            throw Failure("\(url) does not answer: \((error as? NotTried)?.reason ?? "\(error)").")
        }
        throw Failure("\(url) is no gateway: it has no issuer at /.well-known/openid-configuration.")
    }

    /// - Throws: ``Failure`` that says what to publish.
    private func requireKey() throws -> String {
        if let key { return key }
        let fresh = Ownership.key()
        throw Failure(
            """
            \(url) is not on this machine. Prove that it is yours: set ATTACK_CHALLENGE=\
            \(Ownership.challenge(of: fresh)) and restart the gateway, or let your proxy answer that text at \
            \(url)\(Ownership.path). Then add --key \(fresh) to this command.
            """)
    }

    private func requireOwnership(of target: Target, by key: String) async throws {
        guard try await Ownership.isProved(by: key, at: target) else {
            throw Failure(
                "\(url)\(Ownership.path) does not answer \(Ownership.challenge(of: key)), so --key proves nothing.")
        }
    }
}
