import Foundation
import JSON
import TestSupport

/// axe-core, which checks the automatable rules of WCAG.
enum Axe {
    /// The required conformance levels.
    private static let tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]

    /// The findings of axe.
    struct Report: Sendable {
        /// Rule, impact and place of each violation.
        let violations: [String]
        /// The number of fulfilled rules.
        let passes: Int
    }

    static func check(_ browser: Browser) async throws -> Report {
        if try await browser.evaluate("return typeof window.axe") == "undefined" {
            try await browser.evaluate(try source())
        }
        let answer = try await browser.session.post(
            "execute/async", ["script": .string(script), "args": [.array(tags.map(JSON.string))]])
        return Report(
            violations: (answer["violations"]?.array ?? []).compactMap(\.string),
            passes: answer["passes"]?.integer ?? 0)
    }

    private static let script = """
        const [tags, done] = arguments
        // HTML (4.10.18.7.1) has it; this version of axe does not yet.
        axe.configure({ checks: [{ id: 'autocomplete-valid', options: { stateTerms: ['username webauthn'] } }] })
        // A frame without scripts can't answer axe; its page has a check of its own.
        axe.run(document, { iframes: false, runOnly: { type: 'tag', values: tags } }).then(
            result => done({
                violations: result.violations.map(rule =>
                    `${rule.id} (${rule.impact}): ${rule.nodes.map(node => node.target.join(' ')).join(', ')}`),
                passes: result.passes.length
            }),
            error => done({ violations: [String(error)], passes: 0 }))
        """

    /// `AXE_SCRIPT` names the file; the default is the place to which `make test` downloads it.
    private static func source() throws -> String {
        let path =
            ProcessInfo.processInfo.environment["AXE_SCRIPT"]
            ?? Configurations.root.appending(path: "var/axe/axe.min.js").path
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw HarnessError(
                "\(path) isn't there: 'make test' takes it from the PyPI package axe-core-python; AXE_SCRIPT names another file."
            )
        }
        return text
    }
}
