import Foundation
import TestSupport
import Testing

/// `make coverage` takes its files from the rooms' pages, by the rule in `scripts/coverage.py`.
@Suite("The files of security decisions")
struct DecisionFilesTests {
    @Test("each decision that a room's page names is declared in a file, which is measured")
    func files() async throws {
        let root = Configurations.root
        let script = try ChildProcess(
            "/usr/bin/env", ["python3", root.appending(path: "scripts/coverage.py").path, "--files"])
        #expect(await script.waitForExit() == 0, "\(script.errors)")
        let files = Set(script.output.split(separator: "\n").map(String.init))
        #expect(files.filter { !Pages.exists($0) } == [])
        // One of each kind: named on a page, an extension of it, found by its name, and in a module without a page.
        #expect(
            files.isSuperset(of: [
                "Sources/SignIn/Course/SignInMachine.swift", "Sources/Vocabulary/Rejection+Words.swift",
                "Sources/Sessions/KeyProofs/KeyProof.swift", "Sources/WebAuthn/CBOR/CBORReader.swift",
            ]))
        #expect(!files.contains("Sources/Console/ConsoleDoor.swift"))
    }
}
