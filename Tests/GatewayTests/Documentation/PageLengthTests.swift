import Testing

/// Pages that a developer reads to the end before the first try.
@Suite("The length of pages")
struct PageLengthTests {
    private static let most = 600
    /// They list what an existing app has to change.
    private static let longer: Set = ["docs/start/from-amplify.md", "docs/start/from-msal.md"]

    @Test("the page of the provider and the start pages have at most 600 words")
    func words() throws {
        let pages = try Pages.files("docs/start", ".md").filter { !Self.longer.contains($0) }
        #expect(pages.count > 5)
        for page in ["docs/openid.md"] + pages {
            let words = try Pages.text(page).split(whereSeparator: \.isWhitespace).count
            #expect(words <= Self.most, "\(page): \(words)")
        }
    }
}
