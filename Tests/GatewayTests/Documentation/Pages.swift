import Foundation

/// The files of the project, for tests that compare pages and sources.
enum Pages {
    static func text(_ path: String) throws -> String {
        try String(contentsOf: Configurations.root.appending(path: path), encoding: .utf8)
    }

    static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: Configurations.root.appending(path: path).path)
    }

    /// The files below a folder whose names have this ending, by their paths from the root.
    static func files(_ folder: String, _ ending: String) throws -> [String] {
        let place = Configurations.root.appending(path: folder).resolvingSymlinksInPath()
        let names = FileManager.default.enumerator(atPath: place.path)
        return (names?.allObjects ?? []).compactMap { $0 as? String }.filter { $0.hasSuffix(ending) }
            .map { "\(folder)/\($0)" }.sorted()
    }

    static func swiftFiles(_ folder: String) throws -> [String] {
        try files(folder, ".swift")
    }

    /// The modules of the core between the providers and the front doors: docs/architecture.md.
    static let rooms = [
        "Vocabulary", "OperatorAccess", "Audit", "Clients", "Messages", "Sessions", "Accounts", "SignIn", "Operators",
    ]

    /// The modules over the core: the server, the front doors, the settings and the commands.
    static let gatewayModules = [
        "AdminHTTP", "Cognito", "Commands", "Console", "Gateway", "GatewaySettings", "HTTPServer", "NativeAuth",
        "OpenID",
        "Pages", "REST", "Telemetry", "Web",
    ]

    /// The Swift files of those modules.
    static func gatewayFiles() throws -> [String] { try gatewayModules.flatMap { try swiftFiles("Sources/\($0)") } }

    /// The modules that a Swift file imports.
    ///
    /// An indented line is one of a sample's text.
    static func imports(_ path: String) throws -> Set<String> {
        let lines = try text(path).split(separator: "\n").filter { !$0.hasPrefix(" ") }
        return Set(
            lines.compactMap { line in
                let words = line.split(separator: " ")
                guard let index = words.firstIndex(of: "import"), index <= 2, index + 1 < words.count,
                    words[..<index].allSatisfy({ $0 == "package" || $0.hasPrefix("@") })
                else { return nil }
                return String(words[index + 1])
            })
    }

    /// The text between two lines of a page.
    static func between(_ start: String, _ end: String, in text: String) -> String? {
        guard let from = text.range(of: start + "\n"),
            let to = text.range(of: "\n" + end, range: from.upperBound..<text.endIndex)
        else { return nil }
        return String(text[from.upperBound..<to.lowerBound])
    }
}
