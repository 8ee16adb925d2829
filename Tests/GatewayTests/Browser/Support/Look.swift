import Foundation
import JSON

/// A window size and a colour scheme.
struct Look: Sendable {
    let width: Int
    let scheme: String

    static let all = [390, 1280].flatMap { width in
        ["light", "dark"].map { Look(width: width, scheme: $0) }
    }

    var isPhone: Bool { width < 600 }
}

extension Browser {
    /// Shows the page with this window and scheme, without animation.
    func take(_ look: Look) async throws {
        try await session.tools(
            "Emulation.setDeviceMetricsOverride",
            [
                "width": .integer(look.width), "height": .integer(look.isPhone ? 844 : 800), "deviceScaleFactor": 1,
                "mobile": .bool(look.isPhone),
            ])
        try await session.tools(
            "Emulation.setEmulatedMedia",
            [
                "features": [
                    ["name": "prefers-color-scheme", "value": .string(look.scheme)],
                    ["name": "prefers-reduced-motion", "value": "reduce"],
                ]
            ])
    }

    /// The whole page as PNG, including the part below the window.
    func picture(_ look: Look) async throws -> Data {
        let height = try await evaluate("return document.documentElement.scrollHeight")
        let answer = try await session.tools(
            "Page.captureScreenshot",
            [
                "format": "png", "captureBeyondViewport": true, "optimizeForSpeed": false,
                "clip": ["x": 0, "y": 0, "width": .integer(look.width), "height": height, "scale": 1],
            ])
        return try Data(base64Encoded: answer["data"]?.string ?? "").orThrow("The browser took no picture.")
    }
}

/// The pictures of every page, in `var/shots`.
///
/// `make images` copies those that the documentation shows into `docs/images`.
enum Gallery {
    static func keep(_ picture: Data, named name: String, _ look: Look) throws {
        let folder = Configurations.root.appending(path: "var/shots")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try picture.write(to: folder.appending(path: "\(name)-\(look.width)-\(look.scheme).png"), options: .atomic)
    }
}
