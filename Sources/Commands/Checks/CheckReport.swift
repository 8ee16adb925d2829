import JSON

/// The results of checks, as text or JSON.
struct CheckReport: Sendable, Equatable {
    struct Line: Sendable, Equatable {
        let name: String
        let result: DeploymentCheck.Result
    }

    private(set) var lines: [Line] = []

    mutating func add(_ name: String, _ result: DeploymentCheck.Result) {
        lines.append(Line(name: name, result: result))
    }

    var hasFailed: Bool { lines.contains { $0.result.state == .failed } }

    /// Such as `7 ok, 1 warning, 0 failed, 2 skipped`.
    var summary: String {
        let counts = DeploymentCheck.State.allCases.map { state in
            let count = lines.count { $0.result.state == state }
            return state == .warning && count != 1 ? "\(count) warnings" : "\(count) \(state.word)"
        }
        return counts.joined(separator: ", ")
    }

    var json: JSON {
        [
            "checks": .array(
                lines.map { line in
                    [
                        "name": .string(line.name), "state": .string(line.result.state.rawValue),
                        "text": .string(line.result.text),
                        "remedy": line.result.remedy.map(JSON.string) ?? .null,
                    ]
                }), "passed": .bool(!hasFailed),
        ]
    }
}

extension DeploymentCheck {
    enum State: String, Sendable, CaseIterable {
        case passed, warning, failed, skipped

        var word: String { self == .passed ? "ok" : rawValue }
    }
}

extension DeploymentCheck.Result {
    var state: DeploymentCheck.State {
        switch self {
        case .passed: .passed
        case .warning: .warning
        case .failed: .failed
        case .skipped: .skipped
        }
    }

    var text: String {
        switch self {
        case .passed(let text), .skipped(let text): text
        case .warning(let text, _), .failed(let text, _): text
        }
    }

    var remedy: String? {
        switch self {
        case .passed, .skipped: nil
        case .warning(_, let remedy), .failed(_, let remedy): remedy
        }
    }
}
