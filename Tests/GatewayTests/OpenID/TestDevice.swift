import Foundation
import JSON
import Postgres
import Testing

/// A device without a browser, of a relying party (RFC 8628).
struct TestDevice {
    let party: RelyingParty
    /// The answer to its request.
    let asked: JSON

    static let grantType = "urn:ietf:params:oauth:grant-type:device_code"
    static let agent = "Mozilla/5.0 (Linux; Android 14; BRAVIA 4K) AppleWebKit/537.36 Chrome/120.0"

    /// A device that shows its code.
    static func start(
        _ party: RelyingParty, scope: String = "openid email offline_access", resources: [String] = []
    ) async throws -> TestDevice {
        let answer = try await request(party, scope: scope, resources: resources)
        try #require(answer.status == 200, "\(answer.text)")
        return TestDevice(party: party, asked: answer.json)
    }

    static func request(
        _ party: RelyingParty, scope: String?, resources: [String] = []
    ) async throws -> TestAnswer {
        let asked = (scope.map { [("scope", $0)] } ?? []) + resources.map { ("resource", $0) }
        let fields = [("client_id", party.id)] + asked
        return try await send("/v1/device_authorization", fields, as: party)
    }

    private static func send(
        _ path: String, _ fields: [(String, String)], as party: RelyingParty
    ) async throws -> TestAnswer {
        var request = TestRequest("POST", path).form(fields).header("User-Agent", agent)
        if let secret = party.secret {
            let credentials = Data("\(party.id):\(secret)".utf8).base64EncodedString()
            request = request.header("Authorization", "Basic \(credentials)")
        }
        return try await party.gateway.send(request)
    }

    var userCode: String { asked["user_code"]?.string ?? "" }

    /// A visitor who has just allowed it.
    @discardableResult
    func allowed() async throws -> Visitor {
        let visitor = try await Visitor.arrive()
        try await visitor.enter(userCode)
        try await visitor.answer("allow")
        return visitor
    }
    var deviceCode: String { asked["device_code"]?.string ?? "" }

    /// One poll.
    func poll(
        as other: RelyingParty? = nil, code: String? = nil, resource: String? = nil
    ) async throws -> TestAnswer {
        let party = other ?? party
        let fields = [
            ("grant_type", Self.grantType), ("device_code", code ?? deviceCode), ("client_id", party.id),
        ]
        return try await Self.send(
            "/v1/token", fields + (resource.map { [("resource", $0)] } ?? []), as: party)
    }

    /// The tokens of the next poll.
    func tokens(for resource: String? = nil) async throws -> TokenAnswer {
        let answer = try await poll(resource: resource)
        try #require(answer.status == 200, "\(answer.text)")
        return TokenAnswer(
            json: answer.json,
            claims: answer.json["id_token"] == nil ? [:] : try await party.gateway.idClaims(answer.json))
    }

    /// Makes its last poll so old for the database, however long the calls since then took; negative: later than now.
    func wait(_ seconds: Int) async throws {
        try await party.gateway.change(
            """
            update device_requests set polled_at = now() - make_interval(secs => \(Int32(seconds))) where client_id = \(party.id)
            """)
    }

    /// The seconds that it must leave between two polls.
    func interval() async throws -> Int {
        try await party.gateway.count("select interval_seconds from device_requests where client_id = \(party.id)")
    }

    func expire() async throws {
        try await party.gateway.change(
            "update device_requests set expires_at = now() - interval '1 second' where client_id = \(party.id)")
    }
}

extension Visitor {
    /// Opens the page, signs in, and types a code.
    func enter(_ code: String) async throws {
        try await signIn("/device")
        try await browser.submit("/device", ["user_code": code])
    }

    /// The form with the question, with its fields.
    func question() throws -> PageForm {
        try #require(browser.page.forms.first { $0.action == "/device/answer" }, "\(browser.page.text)")
    }

    func answer(_ decision: String) async throws {
        try await browser.post("/device/answer", try question().fields + [("decision", decision)])
    }
}
