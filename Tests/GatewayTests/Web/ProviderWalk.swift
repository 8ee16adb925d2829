import Foundation
import JSON
import TestSupport
import Testing

/// A provider's answer in the browser.
struct ProviderAnswer {
    let method: String
    /// Path and query at the gateway.
    var path: String
    var fields: [(String, String)]

    /// The parameters, from the query or the form.
    var parameters: [String: String] {
        let query = URLComponents(string: path)?.queryItems?.map { ($0.name, $0.value ?? "") } ?? []
        return Dictionary(query + fields) { first, _ in first }
    }

    /// The same with one parameter changed or removed.
    func with(_ name: String, _ value: String?) -> ProviderAnswer {
        var changed = self
        if method == "POST" {
            changed.fields = fields.filter { $0.0 != name } + (value.map { [(name, $0)] } ?? [])
        } else {
            var address = URLComponents(string: path)
            let kept = (address?.queryItems ?? []).filter { $0.name != name }
            address?.queryItems = kept + (value.map { [URLQueryItem(name: name, value: $0)] } ?? [])
            changed.path = (address?.string ?? path).replacingOccurrences(of: "+", with: "%2B")
        }
        return changed
    }
}

extension PageBrowser {
    /// Goes to a provider; returns the address there.
    func start(
        _ provider: String, _ query: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) async throws -> String {
        let answer = try await visit("/login/\(provider)" + (query.isEmpty ? "" : "?\(query)"))
        return try #require(departure, "\(answer.status) \(answer.text)", sourceLocation: sourceLocation)
    }

    /// Follows one of the page's own links to a provider.
    func follow(link provider: String, sourceLocation: SourceLocation = #_sourceLocation) async throws -> String {
        try await openSection { page in page.links.contains { $0.hasPrefix("/login/\(provider)?") } }
        let link = try #require(
            page.links.first { $0.hasPrefix("/login/\(provider)?") }, "\(page.text)", sourceLocation: sourceLocation)
        try await visit(link)
        return try #require(departure, "\(page.text)", sourceLocation: sourceLocation)
    }

    /// Returns from a provider; another site's form post includes only the `SameSite=None` cookies.
    @discardableResult
    func comeBack(_ answer: ProviderAnswer) async throws -> TestAnswer {
        guard answer.method == "POST" else { return try await visit(answer.path) }
        let landed = try await crossSitePost(answer.path, answer.fields)
        guard landed.status == 200 else { return landed }
        return try await submit(answer.path.replacingOccurrences(of: "/callback", with: "/complete"))
    }

    /// The complete path: to the provider, consent, and back.
    @discardableResult
    func signIn(_ provider: String, _ query: String = "", as person: JSONObject = [:]) async throws -> TestAnswer {
        try await comeBack(try await simulator.authorize(try await start(provider, query), person))
    }
}

extension SimulatorProcess {
    /// The answer of the provider's page for the browser.
    func authorize(_ url: String, _ members: JSONObject = [:]) async throws -> ProviderAnswer {
        var members = members
        members["url"] = .string(url)
        let answer = try await client.send(TestRequest("POST", "/control/authorize").json(.object(members)))
        let json = answer.json
        guard answer.status == 200, let method = json["method"]?.string,
            let address = json["url"]?.string.flatMap(URLComponents.init(string:))
        else { throw HarnessError("The simulated provider refused \(url): \(answer.text)") }
        let fields = method == "POST" ? json["fields"]?.object?.members ?? [] : []
        return ProviderAnswer(
            method: method, path: address.percentEncodedPath + (address.percentEncodedQuery.map { "?\($0)" } ?? ""),
            fields: fields.map { ($0.name, $0.value.string ?? "") })
    }
}
