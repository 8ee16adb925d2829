import JSON
import Synchronization
import Testing

@testable import Commands

@Suite("The report of checks")
struct CheckReportTests {
    private static let checks = [
        DeploymentCheck("DNS") { .passed("login.ducks.org is 192.0.2.7") },
        DeploymentCheck("clock") { .warning("it differs by 7 seconds", remedy: "Synchronize it.") },
        DeploymentCheck("mail") { .skipped("no test mail") },
        DeploymentCheck("database") { .failed("it does not answer", remedy: "Start it.") },
    ]

    private static func output(isTerminal: Bool, hasColour: Bool) async -> (CheckReport, String) {
        let written = Written()
        let run = CheckRun(isTerminal: isTerminal, hasColour: hasColour) { written.add($0) }
        return (await run.run(checks), written.text)
    }

    private final class Written: Sendable {
        private let held = Mutex("")
        var text: String { held.withLock { $0 } }
        func add(_ text: String) { held.withLock { $0 += text } }
    }

    @Test("Plain lines, with the remedy below its check")
    func plain() async {
        let (report, text) = await Self.output(isTerminal: false, hasColour: false)
        #expect(
            text.split(separator: "\n") == [
                "  ok       DNS: login.ducks.org is 192.0.2.7", "  warning  clock: it differs by 7 seconds",
                "           Synchronize it.", "  skipped  mail: no test mail",
                "  FAILED   database: it does not answer",
                "           Start it.",
            ])
        #expect(report.hasFailed && report.summary == "1 ok, 1 warning, 1 failed, 1 skipped")
    }

    @Test("A terminal shows the running check and colours")
    func terminal() async {
        let (_, text) = await Self.output(isTerminal: true, hasColour: true)
        #expect(text.contains("…") && text.contains("\u{1B}[31mFAILED") && text.contains("\r\u{1B}[K"))
        let (_, uncoloured) = await Self.output(isTerminal: true, hasColour: false)
        #expect(!uncoloured.contains("\u{1B}[3") && uncoloured.contains("…"))
    }

    @Test("JSON has each check with its state, text and remedy")
    func json() async {
        let report = await CheckRun.quietly(Self.checks)
        let checks = report.json["checks"]?.array ?? []
        #expect(report.json["passed"] == false && checks.count == 4)
        #expect(
            checks.last == [
                "name": "database", "state": "failed", "text": "it does not answer", "remedy": "Start it.",
            ])
    }
}
