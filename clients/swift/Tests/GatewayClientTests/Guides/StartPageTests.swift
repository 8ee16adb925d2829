import Foundation
import Testing

@testable import GatewayClient

@Suite("The pages of docs/start")
struct StartPageTests {
    private static let pages = [
        "README", "ios-apple", "add-google", "add-amazon", "add-microsoft", "passkeys", "website", "bring-users",
    ].map { "docs/start/\($0).md" }
    private static let folder = "clients/swift/Tests/GatewayClientTests/Guides"

    @Test("The Swift code of a page is code of a file that the compiler reads here", arguments: pages)
    func code(page: String) throws {
        let sources = try ["StartPages.swift", "StartPages+Apple.swift"].map {
            Self.compact(try Repository.text("\(Self.folder)/\($0)"))
        }
        for block in try Self.blocks(of: page) {
            let isThere = sources.contains { $0.contains(Self.compact(block)) }
            #expect(isThere, "\(page) has other code: \(block)")
        }
    }

    @Test("The pages about apps have Swift code")
    func blocks() throws {
        let counts = try Self.pages.map { try Self.blocks(of: $0).count }
        #expect(counts == [0, 1, 3, 3, 3, 2, 0, 0])
    }

    @Test("A page has at most 600 words", arguments: pages)
    func length(page: String) throws {
        #expect(try Repository.text(page).split { $0.isWhitespace }.count <= 600)
    }

    @Test("A tenant's browser, step and session are told apart")
    @MainActor
    func microsoft() async throws {
        let rehearsal = try Rehearsal(
            .answer(200, EveryStep.answer(.continueInBrowser)), .answer(200, EveryStep.answer(.code)),
            .answer(200, Sample.signedIn()))
        let page = StartPages(client: rehearsal.client)
        try await page.signIn(name: "ann@example.com", password: "correct horse")
        #expect(page.visit != nil && page.step == nil && page.session == nil)
        try await page.signIn(name: "ann@example.com", password: "correct horse")
        #expect(page.step != nil && page.session == nil)
        try await page.signIn(name: "ann@example.com", password: "correct horse")
        #expect(page.session?.id == Sample.sessionID)
    }

    private static func blocks(of page: String) throws -> [String] {
        try Repository.text(page).components(separatedBy: "```swift\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
    }

    /// The text without white space, because the formatter breaks indented lines elsewhere, and without its marks.
    private static func compact(_ text: String) -> String {
        text.split(separator: "\n").filter { !$0.contains("// swift-format-ignore") }.joined().filter {
            !$0.isWhitespace
        }
    }
}
