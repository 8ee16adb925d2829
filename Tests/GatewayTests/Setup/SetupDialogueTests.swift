import Foundation
import Providers
import Synchronization
import TestSupport
import Testing

@testable import Commands
@testable import GatewaySettings
@testable import HTTPServer

/// The questions of `gateway init`.
@Suite("The dialogue of init")
struct SetupDialogueTests {
    /// Answers by setting, and records the prompts.
    private final class Person: Sendable {
        private let state: Mutex<(answers: [String: [String]], prompts: [String], hidden: [String], texts: [String])>

        init(_ answers: [String: [String]]) { state = Mutex((answers, [], [], [])) }

        var prompts: [String] { state.withLock { $0.prompts } }
        var hidden: [String] { state.withLock { $0.hidden } }
        var texts: String { state.withLock { $0.texts.joined(separator: "\n") } }

        func answer(_ prompt: String, isHidden: Bool) -> String? {
            state.withLock { state in
                let name = String(prompt.prefix { !" :[,".contains($0) })
                state.prompts.append(name)
                if isHidden { state.hidden.append(name) }
                guard var left = state.answers[name] else { return "" }
                guard !left.isEmpty else { return nil }
                defer { state.answers[name] = left }
                return left.removeFirst()
            }
        }

        func read(_ text: String) { state.withLock { $0.texts.append(text) } }
    }

    private static let answers = [
        "PUBLIC_URL": ["login.ducks.org", "http://localhost:8080"], "DATABASE_URL": ["postgres://a@localhost/a"],
        "MAIL_FROM": ["login@example.com"], "Providers": ["amazon, google"],
        "AMAZON_CLIENT_IDS": ["amzn1.application-oa2-client.a"],
        "OIDC_GOOGLE_CLIENT_IDS": ["a.apps.googleusercontent.com"],
    ]

    @Test("A faulty answer is asked again at once; given settings are not asked")
    func repeats() throws {
        let person = Person(Self.answers)
        var values = SetupValues()
        values[.smtpHost] = "localhost"
        try SetupDialogue(ask: person.answer, say: person.read).complete(&values, providers: nil)
        #expect(person.prompts.count { $0 == "PUBLIC_URL" } == 2 && person.texts.contains("  PUBLIC_URL: "))
        #expect(!person.prompts.contains("SMTP_HOST") && values[.publicURL] == "http://localhost:8080")
        #expect(values[.clientID] == "app" && values[.openIDConnectProviders] == "google")
        #expect(values.text.contains("OIDC_GOOGLE_ISSUER=https://accounts.google.com\n"))
        for secret in ["DATABASE_URL", "SMTP_PASSWORD", "AMAZON_CLIENT_SECRET", "OIDC_GOOGLE_CLIENT_SECRET"] {
            #expect(person.hidden.contains(secret))
        }
        #expect(!person.hidden.contains("PUBLIC_URL"))
    }

    @Test("The end of the input ends the dialogue")
    func ended() {
        var answers = Self.answers
        answers["MAIL_FROM"] = []
        let person = Person(answers)
        var values = SetupValues()
        #expect(throws: SetupDialogue.Ended.self) {
            try SetupDialogue(ask: person.answer, say: person.read).complete(&values, providers: [])
        }
    }

    @Test("On a terminal, secrets are typed without echo, and the end of input writes nothing")
    func terminal() async throws {
        try await withDeployment { deployment in
            let answers = [
                ("PUBLIC_URL:", "http://localhost:8080"), ("TRUSTED_PROXIES:", ""),
                ("DATABASE_URL:", deployment.database.url),
                ("MAIL_FROM:", "login@example.com"), ("SMTP_HOST:", "127.0.0.1"), ("SMTP_USER:", "gateway"),
                ("SMTP_PASSWORD:", "typed-mail-password"), ("CLIENT_ID [app]:", ""), ("CLIENT_NAME:", "Ducks"),
                ("CLIENT_REDIRECT_URIS:", ""), ("[none]:", ""),
            ]
            let result = try await Self.typed(answers, in: deployment)
            #expect(result.exitCode == 0, "\(result.output)")
            #expect(result.output.contains("Ducks") && !result.output.contains("typed-mail-password"))
            let file = try String(contentsOfFile: "\(deployment.folder)/.env", encoding: .utf8)
            #expect(file.contains("SMTP_PASSWORD=typed-mail-password\n") && file.contains("CLIENT_NAME=Ducks\n"))
            try FileManager.default.removeItem(atPath: "\(deployment.folder)/.env")
            let ended = try await Self.typed(
                [("PUBLIC_URL:", "http://localhost:8080"), ("TRUSTED_PROXIES:", "\u{4}")], in: deployment)
            #expect(ended.exitCode == 1 && ended.output.contains("Nothing was written."))
            #expect(!FileManager.default.fileExists(atPath: "\(deployment.folder)/.env"))
        }
    }

    /// Types each answer after its prompt, in a pseudo-terminal.
    private static func typed(_ answers: [(String, String)], in deployment: Deployment) async throws -> CommandResult {
        let script = "import os,pty,sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))"
        let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let gateway = URL(filePath: tests).deletingLastPathComponent().appending(path: "gateway").path
        let child = try ChildProcess(
            "/usr/bin/env", ["python3", "-c", script, gateway, "init", "--skip-checks"],
            environment: ["HOME": deployment.folder], folder: deployment.folder, takesInput: true)
        var seen = 0
        for (prompt, answer) in answers {
            seen = try await poll(within: .seconds(60)) {
                let output = child.output
                guard
                    let range = output.range(
                        of: prompt, range: output.index(output.startIndex, offsetBy: seen)..<output.endIndex)
                else { return nil }
                return output.distance(from: output.startIndex, to: range.upperBound)
            }
            child.write((answer == "\u{4}" ? answer : answer + "\n").utf8)
        }
        let code = await child.waitForExit(within: .seconds(60))
        if code == nil { await child.kill9() }
        return CommandResult(exitCode: code, output: child.output, errors: child.errors)
    }
}
