package import JSON
import Outbound

/// The verdicts of a run.
package struct AttackReport: Sendable {
    package struct Line: Sendable {
        let attack: Attack
        package let verdict: Verdict
    }

    package private(set) var lines: [Line] = []

    /// Tries attacks one after another.
    ///
    /// - Parameter progress: called after each with the number of the tried ones.
    package init(_ attacks: [Attack], on target: Target, progress: (Int) -> Void = { _ in }) async {
        for attack in attacks {
            lines.append(Line(attack: attack, verdict: await attack.verdict(on: target)))
            progress(lines.count)
        }
    }

    package var isBroken: Bool { count("broken") > 0 }

    package var isComplete: Bool { count("not tried") == 0 }

    private func count(_ word: String) -> Int { lines.count { $0.verdict.word == word } }

    /// Such as `40 held, 1 broken, 2 not tried`.
    package var summary: String {
        ["held", "broken", "not tried"].map { "\(count($0)) \($0)" }.joined(separator: ", ")
    }

    /// One object for each attack: `row`, `subject`, `verdict`, `attack`, `detail`.
    package var rows: [JSON] {
        lines.map { line in
            [
                "row": .string(line.attack.row), "subject": .string(line.attack.subject.rawValue),
                "verdict": .string(line.verdict.word), "attack": .string(line.attack.title),
                "detail": line.verdict.detail.map(JSON.string) ?? .null,
            ]
        }
    }

    /// The report for continuous integration: broken is a failure, not tried is skipped.
    package var junit: String {
        let cases = lines.map { line in
            let name = "\(line.attack.row): \(line.attack.title)"
            let head = "<testcase classname=\"\(line.attack.subject.rawValue)\" name=\"\(Self.escaped(name))\""
            let detail = Self.escaped(line.verdict.detail ?? "")
            return switch line.verdict {
            case .held: "  \(head)/>"
            case .broken: "  \(head)><failure message=\"\(detail)\"/></testcase>"
            case .notTried: "  \(head)><skipped message=\"\(detail)\"/></testcase>"
            }
        }
        let counts = "tests=\"\(lines.count)\" failures=\"\(count("broken"))\" skipped=\"\(count("not tried"))\""
        return ([Self.junitHead + " \(counts)>"] + cases + ["</testsuite>", ""]).joined(separator: "\n")
    }

    /// The beginning of every such file.
    package static let junitHead = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"gateway attack\""

    private static func escaped(_ text: String) -> String {
        let names: [Unicode.Scalar: String] = ["&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;"]
        // XML has no control characters, which some evidence has.
        return text.unicodeScalars.map { names[$0] ?? ($0.properties.generalCategory == .control ? " " : String($0)) }
            .joined()
    }
}

extension Attack {
    /// An attack that was interrupted proves nothing, whatever it found.
    fileprivate func verdict(on target: Target) async -> Verdict {
        let verdict = Task.isCancelled ? nil : await outcome(on: target)
        return (Task.isCancelled ? nil : verdict) ?? .notTried(reason: "the run was interrupted")
    }

    private func outcome(on target: Target) async -> Verdict {
        do {
            try await attempt(target)
            return .held
        } catch let error as Broken {
            return .broken(evidence: error.evidence)
        } catch let error as NotTried {
            return .notTried(reason: error.reason)
        } catch let error as TransferError {
            return .notTried(reason: "no connection: \(error)")
        } catch {
            return .notTried(reason: "\(error)")
        }
    }
}
