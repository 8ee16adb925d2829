import Foundation
import Providers
import Settings
import Testing

/// A provider is one folder and one line: the gateway uses it through ``ProviderList`` only.
@Suite("The names of providers")
struct ProviderNameTests {
    /// Files of the gateway that may name a provider, each with its reason.
    private static let exceptions = [
        // Only Apple moves users between developer teams.
        "Sources/Commands/AppleCommand.swift",
        // The command's help shows ids and realms as examples.
        "Sources/Operators/AccountActions/AccountAction+Identities.swift",
        // A remedy names the setting to change.
        "Sources/HTTPServer/Problems/ErrorCatalogue+Entries.swift",
        // The app-link files of Apple's and Google's systems, which are unrelated to sign-in.
        "Sources/REST/AppLinksDoor.swift",
        // The dialect of an app has the name of the vendor's API at the command line.
        "Sources/Commands/ClientsCommand+Settings.swift",
        "Sources/Commands/ClientsCommand+Amplify.swift",
        "Sources/Commands/AmplifyConfiguration.swift",
    ]

    /// The doors of vendors' protocols, which share their vendors' names with providers.
    private static let dialects = ["Sources/Cognito/", "Sources/NativeAuth/"]

    /// The marks of a provider in source text: its id as a literal or member, its adapter or its constants, its settings,
    /// its name.
    private static let marks: [String] = ProviderList.all.flatMap { kind in
        let adapter = "\(kind.type)".split(separator: ".").last.map(String.init) ?? ""
        let prefix = String(kind.keys[0].name.prefix { $0 != "_" }) + "_"
        let ids = ([kind.id] + kind.brands.map(\.id)).compactMap { $0?.rawValue }
        // A protocol's name, or a common word such as "X" or "line", would match everywhere.
        let names = kind.id != nil && kind.name.count > 4 ? [kind.name] : []
        let literals = ids.filter { $0.count > 4 }.map { "\"\($0)\"" }
        let members = ids.map { "ProviderID.\($0)" }
        return [[adapter, kind.name + "Provider", prefix], names, literals, members].flatMap(\.self)
    }

    @Test("the gateway names no provider, save in files with a reason")
    func gateway() throws {
        #expect(Self.marks.contains("GitHubProvider") && Self.marks.contains("GITHUB_"))
        for file in try Pages.gatewayFiles()
        where !Self.exceptions.contains(file) && !Self.dialects.contains(where: file.hasPrefix) {
            // The module of a vendor's protocol has its name.
            let lines = try Pages.text(file).split(separator: "\n").filter { !$0.hasPrefix("import ") }
            let text = lines.joined(separator: "\n")
            for mark in Self.marks { #expect(!Self.holds(text, mark), "\(file) names \(mark)") }
        }
    }

    @Test("every exception is needed", arguments: exceptions)
    func needed(file: String) throws {
        let text = try Pages.text(file)
        #expect(Self.marks.contains { Self.holds(text, $0) })
    }

    @Test("every provider has its documentation, and the README and the guide to pages lead to it")
    func documentation() throws {
        let pages = try Pages.text("README.md") + Pages.text("docs/web.md")
        for kind in ProviderList.all {
            #expect(Pages.exists(kind.page), "\(kind.page)")
            #expect(pages.contains(kind.page.dropFirst("docs/".count)), "\(kind.page)")
        }
    }

    @Test("ids and names of providers are unique")
    func unique() {
        let ids = ProviderList.all.compactMap(\.id)
        #expect(Set(ids).count == ids.count)
        #expect(Set(ProviderList.all.map(\.name)).count == ProviderList.all.count)
    }

    /// Whether a text contains a mark as a separate word; one that ends with `_` may begin a word.
    private static func holds(_ text: String, _ mark: String) -> Bool {
        var rest = Substring(text)
        var before: Character?
        while let place = rest.range(of: mark, options: .literal) {
            let leads = place.lowerBound > rest.startIndex ? rest[rest.index(before: place.lowerBound)] : before
            let follows = rest[place.upperBound...].first
            if !isPart(leads), mark.hasSuffix("_") || !isPart(follows) { return true }
            before = rest[rest.index(before: place.upperBound)]
            rest = rest[place.upperBound...]
        }
        return false
    }

    private static func isPart(_ character: Character?) -> Bool {
        character.map { $0.isLetter || $0.isNumber || $0 == "_" } ?? false
    }
}
