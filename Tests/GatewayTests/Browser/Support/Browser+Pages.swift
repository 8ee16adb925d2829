import Foundation
import JSON
import TestSupport

/// A user's actions on pages.
extension Browser {
    /// Opens a path of the gateway, or an address.
    func visit(_ address: String) async throws {
        try await session.post("url", ["url": .string(address.hasPrefix("/") ? origin + address : address)])
    }

    func address() async throws -> URLComponents {
        let text = try await session.get("url").string ?? ""
        return try URLComponents(string: text).orThrow("The browser is at no address: \(text)")
    }

    func back() async throws { try await session.post("back") }

    func reload() async throws { try await session.post("refresh") }

    func click(_ selector: String) async throws {
        try await wait("\(selector) to be clicked") {
            try await session.post("element/\(try await element(selector))/click")
        }
    }

    /// Types into a field, after its content; keys have their own code points (``Key``).
    func type(_ text: String, into selector: String) async throws {
        try await wait("\(selector) to be typed into") {
            try await session.post("element/\(try await element(selector))/value", ["text": .string(text)])
        }
    }

    func clear(_ selector: String) async throws {
        try await wait("\(selector) to be cleared") {
            try await session.post("element/\(try await element(selector))/clear")
        }
    }

    /// Replaces a field's content.
    func fill(_ selector: String, _ text: String) async throws {
        try await clear(selector)
        if !text.isEmpty { try await type(text, into: selector) }
    }

    /// Presses a key at the focus.
    func press(_ key: String) async throws {
        let focused = try await session.get("element/active")
        try await session.post("element/\(try Self.id(of: focused))/value", ["text": .string(key)])
    }

    /// The visible text.
    func text(of selector: String) async throws -> String {
        try await wait("\(selector) to have text") {
            try await session.get("element/\(try await element(selector))/text").string ?? ""
        }
    }

    func attribute(_ name: String, of selector: String) async throws -> String? {
        try await wait("\(selector) to be there") {
            try await session.get("element/\(try await element(selector))/attribute/\(name)").string
        }
    }

    /// Whether the current page contains the element.
    func has(_ selector: String) async throws -> Bool {
        do {
            _ = try await element(selector)
            return true
        } catch let error as WebDriverError where error.isPassing {
            return false
        }
    }

    /// Waits until the page contains the element.
    func waitFor(_ selector: String) async throws {
        try await wait("\(selector) to be there") { _ = try await element(selector) }
    }

    /// Waits until the element has the focus, which the page sets after its first frame.
    func waitForFocus(_ selector: String) async throws {
        try await until("the focus on \(selector)") { try await isFocused(selector) ? () : nil }
    }

    func isFocused(_ selector: String) async throws -> Bool {
        try await evaluate("return document.activeElement.matches(arguments[0])", [.string(selector)]).bool ?? false
    }

    /// Waits until the browser is at a path, with any query; returns the address.
    @discardableResult
    func arrive(at path: String) async throws -> URLComponents {
        try await until("the path \(path)") {
            let address = try await address()
            return address.path == path ? address : nil
        }
    }

    /// Runs script in the page, even if the page's own script may not run.
    @discardableResult
    func evaluate(_ script: String, _ arguments: [JSON] = []) async throws -> JSON {
        try await session.post("execute/sync", ["script": .string(script), "args": .array(arguments)])
    }

    /// Opens another tab and continues in it; returns the previous one.
    func openTab() async throws -> String {
        let left = try await session.get("window").string ?? ""
        let opened = try await session.post("window/new", ["type": "tab"])
        try await turn(to: opened["handle"]?.string ?? "")
        return left
    }

    /// Continues in another tab.
    func turn(to tab: String) async throws { try await session.post("window", ["handle": .string(tab)]) }

    /// Repeats the call until there is an answer, through replaced pages.
    func until<Value>(
        _ wanted: String, within patience: Duration = Browser.patience, _ ask: () async throws -> Value?
    ) async throws -> Value {
        let end = ContinuousClock.now + patience
        var last = ""
        repeat {
            do {
                if let value = try await ask() { return value }
            } catch let error as WebDriverError where error.isPassing {
                last = error.code
            }
            try await Task.sleep(for: .milliseconds(20))
        } while ContinuousClock.now < end
        let place = try await session.get("url").string ?? ""
        let shown = try await evaluate("return document.body ? document.body.innerText : ''").string ?? ""
        throw HarnessError("Waited in vain for \(wanted) at \(place) \(last):\n\(shown)")
    }

    @discardableResult
    private func wait<Value>(_ wanted: String, _ ask: () async throws -> Value) async throws -> Value {
        try await until(wanted) { .some(try await ask()) }
    }

    private func element(_ selector: String) async throws -> String {
        do {
            return try Self.id(
                of: try await session.post("element", ["using": "css selector", "value": .string(selector)]))
        } catch let error as WebDriverError where error.code == "aborted by navigation" {
            // Chromium reports a page that disappeared during the look-up; unlike with a click, nothing has happened
            // yet.
            throw WebDriverError(["error": "no such element", "message": .string(error.description)])
        }
    }

    private static func id(of element: JSON) throws -> String {
        try (element.object?.members.first?.value.string).orThrow("The driver named no element.")
    }
}

/// Keys without characters (W3C WebDriver §17.4.2).
enum Key {
    static let tab = "\u{E004}"
    static let enter = "\u{E007}"
}

extension Optional {
    /// The value, or an error with this sentence.
    func orThrow(_ sentence: @autoclosure () -> String) throws -> Wrapped {
        guard let self else { throw HarnessError(sentence()) }
        return self
    }
}
