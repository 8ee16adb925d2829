import Foundation
import Testing

@testable import GatewayClient

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A browser for the hosted sign-in page: cookies, one form, no redirects.
///
/// The page asks for the name first; its form takes the password as well.
struct SmallBrowser {
    /// Signs in with the password and returns the address of the app that the page redirects to.
    func signIn(at url: URL, _ person: Person) async throws -> URL {
        let (page, shown) = try await URLSessionTransport().send(URLRequest(url: url))
        #expect(shown.statusCode == 200)
        var fields = Self.hiddenFields(try #require(String(data: page, encoding: .utf8)))
        (fields["username"], fields["password"]) = (person.email, person.password)
        var request = URLRequest(url: try #require(URL(string: "/login", relativeTo: url)))
        request.httpMethod = "POST"
        request.httpBody = Data(formEncoded(fields).utf8)
        request.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        request.setValue(Self.origin(url), forHTTPHeaderField: "Origin")
        request.setValue(Self.cookies(shown), forHTTPHeaderField: "Cookie")
        let (_, answer) = try await URLSessionTransport().send(request)
        #expect(answer.statusCode == 303)
        let location = try #require(answer.value(forHTTPHeaderField: "Location"))
        return try #require(URL(string: location))
    }

    private static func origin(_ url: URL) -> String { "\(url.scheme ?? "")://\(url.host ?? ""):\(url.port ?? 80)" }

    private static func cookies(_ response: HTTPURLResponse) -> String {
        (response.value(forHTTPHeaderField: "Set-Cookie") ?? "").components(separatedBy: ", ")
            .compactMap { $0.split(separator: ";").first }.filter { $0.contains("=") }.joined(separator: "; ")
    }

    /// The hidden inputs of the form with a name.
    private static func hiddenFields(_ page: String) -> [String: String] {
        let form = page.components(separatedBy: "<form").first { $0.contains("name=\"username\"") } ?? ""
        let inputs = form.components(separatedBy: "<input").filter { $0.contains("type=\"hidden\"") }
        return Dictionary(
            inputs.compactMap { input in
                attribute("name", input).map { ($0, attribute("value", input) ?? "") }
            }
        ) { $1 }
    }

    private static func attribute(_ name: String, _ input: String) -> String? {
        guard let range = input.range(of: " \(name)=\"") else { return nil }
        return input[range.upperBound...].prefix { $0 != "\"" }.replacingOccurrences(of: "&amp;", with: "&")
    }
}
