import Foundation
import NIOCore
import Testing

@testable import HTTPServer
@testable import Pages

@Suite("The assets of the pages")
struct PageAssetsTests {
    private let assets: PageAssets
    private let sheet: String

    init() throws {
        assets = try PageAssets.bundled()
        sheet = try Pages.text("Sources/Pages/Assets/pages.css") + Brand.styleSheet
    }

    @Test("an asset's name depends on its content, and no other name finds it")
    func names() throws {
        #expect(
            Set(assets.addresses.keys) == [
                "pages_css", "console_css", "console_js", "forms_js", "repost_js", "passkey_js", "live_js", "times_js",
                "mark_svg",
            ])
        for address in assets.addresses.values {
            let name = try #require(address.split(separator: "/").last.map(String.init))
            #expect(address == "/assets/\(name)")
            #expect(name.split(separator: ".").map(\.count)[1] == 12)
            let asset = try #require(assets.asset(name))
            #expect(asset.body.plain.readableBytes > 0)
        }
        for name in ["", "pages.css", "pages.AAAAAAAAAAAA.css", "../Messages/en.json", "Assets"] {
            #expect(assets.asset(name) == nil)
        }
    }

    @Test("content types are correct")
    func contentTypes() {
        let types = assets.addresses.mapValues { assets.asset(String($0.dropFirst(8)))?.contentType }
        #expect(types["pages_css"] == "text/css; charset=utf-8")
        #expect(types["repost_js"] == "text/javascript; charset=utf-8")
        #expect(types["mark_svg"] == "image/svg+xml")
    }

    @Test("another content has another name")
    func hashes() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "assets-\(UUID().uuidString)")
        try FileManager.default.copyItem(
            at: Configurations.root.appending(path: "Sources/Pages/Assets").resolvingSymlinksInPath(),
            to: folder)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data("main { color: red }".utf8).write(to: folder.appending(path: "pages.css"))
        let changed = try PageAssets(folder: folder.path)
        #expect(changed.addresses["pages_css"] != assets.addresses["pages_css"])
        #expect(changed.addresses["repost_js"] == assets.addresses["repost_js"])
    }

    @Test("the style sheet makes no requests")
    func selfContained() {
        for word in ["url(", "@import", "@font-face", "http"] { #expect(!sheet.contains(word)) }
    }

    @Test(
        "colours are distinguishable, in light and dark mode",
        arguments: [
            ("text", "card", 4.5), ("text", "ground", 4.5), ("text", "field", 4.5), ("text", "hover", 4.5),
            ("quiet", "card", 4.5), ("quiet", "ground", 4.5), ("link", "card", 4.5), ("on-accent", "accent", 4.5),
            ("on-accent", "accent-hover", 4.5), ("problem", "problem-ground", 4.5), ("problem", "card", 4.5),
            ("problem", "ground", 4.5), ("good", "good-ground", 4.5), ("edge", "card", 3), ("edge", "ground", 3),
            ("edge", "field", 3), ("accent", "card", 3), ("accent", "ground", 3),
        ])
    func contrast(front: String, back: String, least: Double) throws {
        let schemes = sheet.components(separatedBy: "@media (prefers-color-scheme: dark)")
        for scheme in schemes.prefix(2) {
            let front = try #require(Colour(of: "--\(front): ", in: scheme))
            let back = try #require(Colour(of: "--\(back): ", in: scheme))
            #expect(front.contrast(to: back) >= least)
        }
    }

    @Test("texts on brand buttons are readable")
    func brandContrast() throws {
        let rules = sheet.split(separator: "\n").filter { $0.contains(".provider.") && $0.contains("; color: #") }
        #expect(rules.count == 2 * Brand.all.count)
        for rule in rules.map(String.init) {
            let front = try #require(Colour(of: "; color: ", in: rule))
            let back = try #require(Colour(of: "background: ", in: rule))
            #expect(front.contrast(to: back) >= 4.5, "\(rule)")
        }
    }
}

/// A colour of the style sheet, `#rgb` or `#rrggbb`.
private struct Colour {
    /// Relative luminance (WCAG 2.2).
    let luminance: Double

    init?(of name: String, in text: String) {
        guard let place = text.range(of: name) else { return nil }
        var digits = text[place.upperBound...].dropFirst().prefix { $0.isHexDigit }.map { String($0) }
        if digits.count == 3 { digits = digits.flatMap { [$0, $0] } }
        guard digits.count == 6, let number = Int(digits.joined(), radix: 16) else { return nil }
        let parts = [16, 8, 0].map { shift in
            let part = Double(number >> shift & 0xFF) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        luminance = 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    }

    func contrast(to other: Colour) -> Double {
        (max(luminance, other.luminance) + 0.05) / (min(luminance, other.luminance) + 0.05)
    }
}
