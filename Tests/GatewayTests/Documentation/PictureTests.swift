import Foundation
import Testing

@Suite("The pictures of the documentation")
struct PictureTests {
    @Test("docs/images has the pictures that pages show, and no others")
    func shown() throws {
        var shown: Set<String> = []
        for page in try ["README.md"] + Pages.files("docs", ".md") {
            shown.formUnion(try Pages.text(page).matches(of: #/images/([a-z0-9-]+\.png)/#).map { String($0.output.1) })
        }
        #expect(!shown.isEmpty)
        let kept = try FileManager.default.contentsOfDirectory(
            atPath: Configurations.root.appending(path: "docs/images").path)
        #expect(Set(kept) == shown)
    }
}
