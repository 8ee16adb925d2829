import Foundation
import Testing

@Suite("docs/backends.md")
struct BackendPageTests {
    @Test(
        "the Hummingbird code is the code of samples/api",
        arguments: zip([0, 1], ["AccessToken.swift", "Introspection.swift"]))
    func hummingbird(block: Int, file: String) throws {
        let code = try BackendPage.code(of: "Swift with Hummingbird")
        try #require(code.count == 2)
        let source = try Pages.text("samples/api/Sources/SampleAPI/\(file)")
        #expect(Self.unindented(source).contains(Self.unindented(code[block])))
    }

    @Test("it states the version of PyJWT that the tests install")
    func version() throws {
        let packages = try Pages.text("scripts/lib/packages.sh")
        let version = try #require(packages.firstMatch(of: #/pyjwt\[crypto\]==([0-9.]+)/#)?.output.1)
        #expect(try Pages.text("docs/backends.md").contains("PyJWT \(version),"))
    }

    @Test("samples/api uses the version of Hummingbird of the repository")
    func manifests() throws {
        let own = try Self.pins("samples/api/Package.swift")
        #expect(own.intersection(try Self.pins("Package.swift")).count == 1)
    }

    /// Without the indentation, which differs between the page and a function.
    private static func unindented(_ text: String) -> String {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: "\n")
    }

    private static func pins(_ manifest: String) throws -> Set<String> {
        let lines = try Pages.text(manifest).split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
        return Set(lines.filter { $0.hasPrefix(".package(url:") })
    }
}
