import Foundation
import Testing

/// A simple browser for the hosted pages: it keeps cookies, follows our redirects, and fills in forms.
///
/// It does not implement sites, so a real browser tests `SameSite` elsewhere.
final class PageBrowser {
    private let gateway: GatewayProcess
    private(set) var cookies: [String: String] = [:]
    /// Every received `Set-Cookie` line.
    private(set) var setCookies: [String] = []
    private(set) var page: TestAnswer
    /// Sent with every request.
    var headers: [(name: String, value: String)] = []

    private init(_ gateway: GatewayProcess, _ page: TestAnswer) {
        (self.gateway, self.page) = (gateway, page)
    }

    /// A new browser at a page of the gateway.
    static func open(_ gateway: GatewayProcess, _ path: String) async throws -> PageBrowser {
        let browser = PageBrowser(gateway, try await gateway.get("/health/live"))
        try await browser.visit(path)
        return browser
    }

    /// The same browser with another gateway.
    func moved(to gateway: GatewayProcess) -> PageBrowser {
        let browser = PageBrowser(gateway, page)
        browser.cookies = cookies
        return browser
    }

    /// The target of a redirect away from the gateway; nil if the browser is on a page.
    var departure: String? {
        guard page.status == 303, let location = page.header("Location"), !location.hasPrefix("/") else { return nil }
        return location
    }

    /// The parameters of the departure's query.
    var departureQuery: [String: String] {
        let items = departure.flatMap { URLComponents(string: $0)?.queryItems } ?? []
        return Dictionary(items.map { ($0.name, $0.value ?? "") }) { first, _ in first }
    }

    @discardableResult
    func visit(_ path: String) async throws -> TestAnswer {
        try await follow(try await send(TestRequest("GET", path)))
    }

    @discardableResult
    func post(_ path: String, _ fields: [(String, String)]) async throws -> TestAnswer {
        try await follow(try await send(TestRequest("POST", path).form(fields)))
    }

    /// Submits the form with that action, with its own fields and the typed values.
    @discardableResult
    func submit(
        _ action: String, _ typed: [String: String] = [:], sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await openSection(of: action)
        let form = try #require(
            page.forms.first { $0.action == action }, "No form leads to \(action): \(page.text)",
            sourceLocation: sourceLocation)
        for name in typed.keys {
            try #require(
                form.fields.contains { $0.0 == name }, "The form has no field \(name).", sourceLocation: sourceLocation)
        }
        return try await post(action, form.fields.map { ($0.0, typed[$0.0] ?? $0.1) })
    }

    /// Enters a name and its password: on one page, or on two.
    @discardableResult
    func passwordSignIn(
        _ name: String, _ password: String = GatewayProcess.password, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        let form = page.forms.first { $0.action == "/login" }
        if form?.fields.contains(where: { $0.0 == "password" }) == true {
            return try await submit(
                "/login", ["username": name, "password": password], sourceLocation: sourceLocation)
        }
        try await submit("/login", ["username": name], sourceLocation: sourceLocation)
        return try await submit("/login", ["password": password], sourceLocation: sourceLocation)
    }

    /// Answers the reset of a password: the code on its page, then the new password.
    @discardableResult
    func resetPassword(
        _ code: String, to password: String, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> TestAnswer {
        try await submit("/login/step", ["code": code], sourceLocation: sourceLocation)
        return try await submit("/login/step", ["new_password": password], sourceLocation: sourceLocation)
    }

    func setCookie(_ name: String, _ value: String?) {
        cookies[name] = value
    }

    var simulator: SimulatorProcess { gateway.simulator }

    /// A form post from another site's page, without `SameSite=Lax` cookies.
    @discardableResult
    func crossSitePost(_ path: String, _ fields: [(String, String)]) async throws -> TestAnswer {
        var request = TestRequest("POST", path).form(fields).header("Sec-Fetch-Site", "cross-site")
            .header("Origin", "https://appleid.apple.com")
        let sent = cookies.filter { $0.key.hasPrefix("__Host-flow-") }
        if !sent.isEmpty {
            request = request.header("Cookie", sent.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        }
        page = try await gateway.send(request)
        for (name, value) in page.headers where name.lowercased() == "set-cookie" { keep(value) }
        return page
    }

    /// One request, without following redirects.
    func send(_ request: TestRequest) async throws -> TestAnswer {
        var request = request
        if !cookies.isEmpty {
            request = request.header("Cookie", cookies.map { "\($0.key)=\($0.value)" }.joined(separator: "; "))
        }
        for (name, value) in headers { request = request.header(name, value) }
        let answer = try await gateway.send(request)
        for (name, value) in answer.headers where name.lowercased() == "set-cookie" { keep(value) }
        return answer
    }

    private func follow(_ answer: TestAnswer) async throws -> TestAnswer {
        page = answer
        while [302, 303].contains(page.status), let location = page.header("Location"), location.hasPrefix("/") {
            page = try await send(TestRequest("GET", location))
        }
        return page
    }

    private func keep(_ line: String) {
        setCookies.append(line)
        let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let isGone = line.contains("Max-Age=0")
        cookies[String(pair[0])] = isGone ? nil : String(pair.count > 1 ? pair[1] : "")
    }
}

/// A form of a page, as a browser would submit it.
struct PageForm {
    let action: String
    let fields: [(String, String)]
}

extension TestAnswer {
    /// The forms of a page, in order.
    var forms: [PageForm] {
        text.components(separatedBy: "<form ").dropFirst().map { piece in
            let form = piece.components(separatedBy: "</form>")[0]
            let fields = form.components(separatedBy: "<input ").dropFirst().compactMap { input -> (String, String)? in
                let tag = String(input.prefix { $0 != ">" })
                guard !tag.contains("type=\"radio\"") || tag.contains(" checked") else { return nil }
                return Self.attribute("name", of: tag).map { ($0, Self.attribute("value", of: tag) ?? "") }
            }
            return PageForm(
                action: Self.attribute("action", of: String(form.prefix { $0 != ">" })) ?? "",
                fields: fields + Self.choices(of: form))
        }
    }

    /// The lists of a form with their chosen entry, the first one by default, as a browser sends them.
    private static func choices(of form: String) -> [(String, String)] {
        form.components(separatedBy: "<select ").dropFirst().compactMap { piece in
            let options = piece.components(separatedBy: "</select>")[0].components(separatedBy: "<option ").dropFirst()
                .map { String($0.prefix { $0 != ">" }) }
            let chosen = options.first { $0.hasSuffix(" selected") } ?? options.first
            guard let name = attribute("name", of: String(piece.prefix { $0 != ">" })), let chosen else { return nil }
            return (name, attribute("value", of: chosen) ?? "")
        }
    }

    /// The targets of a page's links.
    var links: [String] {
        text.components(separatedBy: "<a ").dropFirst().compactMap { piece in
            Self.attribute("href", of: String(piece.prefix { $0 != ">" }))
        }
    }

    private static func attribute(_ name: String, of tag: String) -> String? {
        guard let start = (" " + tag).range(of: " \(name)=\"") else { return nil }
        let value = (" " + tag)[start.upperBound...].prefix { $0 != "\"" }
        return [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
            .reduce(String(value)) { $0.replacingOccurrences(of: $1.0, with: $1.1) }
    }
}
