import Testing

/// The targets of `Package.swift`.
enum Manifest {
    struct Target: Sendable, CustomTestStringConvertible {
        let name: String
        let folder: String
        /// The names of modules: of ours, of C libraries and of packages.
        let dependencies: Set<String>

        var testDescription: String { name }
    }

    static let targets: [Target] = text.matches(
        of: #/\.(?:executableT|testT|t)arget\(\s*name: "(\w+)"(?:,\s*dependencies: \[([^\]]*)\])?/#
    ).map { match in
        let name = String(match.1)
        return Target(name: name, folder: folder(name), dependencies: modules(match.2 ?? ""))
    }

    static let libraries: [String] = text.matches(of: #/\.systemLibrary\(name: "(\w+)"/#).map { String($0.1) }

    /// Every module that a target of ours can import, without those of the system.
    static let modules: Set<String> = targets.reduce(into: Set(targets.map(\.name))) { $0.formUnion($1.dependencies) }

    private static let text = (try? Pages.text("Package.swift")) ?? ""

    /// The modules of products by the constants that stand for them.
    private static let products = Dictionary(
        uniqueKeysWithValues: text.matches(of: #/let (\w+): Target\.Dependency = \.product\(name: "(\w+)"/#).map {
            (String($0.1), String($0.2))
        })

    private static func modules(_ list: Substring) -> Set<String> {
        let list = list.replacing(#/, package: "[\w-]+"/#, with: "")
        let quoted = list.matches(of: #/"(\w+)"/#).map { String($0.1) }
        return Set(quoted).union(list.matches(of: #/\w+/#).compactMap { products[String($0.output)] })
    }

    private static func folder(_ name: String) -> String {
        ["Sources", "Tests", "clients/swift/Sources", "fuzz"].map { "\($0)/\(name)" }.first(where: Pages.exists) ?? name
    }
}
