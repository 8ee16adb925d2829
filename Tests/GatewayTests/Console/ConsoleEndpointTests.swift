import Foundation
import JSON
import Postgres
import Testing

@testable import Console
@testable import OperatorAccess

/// The webhook endpoints on the console.
@Suite(.gateway())
struct ConsoleEndpointTests {
    private static func url() -> String { "https://\(Fresh.text().lowercased().filter(\.isLetter)).ducks.org/events" }

    @Test("An endpoint is added after a preview, and only that answer contains its secret")
    func create() async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let (token, url) = (try await browser.token(), Self.url())
        let typed = [("form_token", token), ("url", url), ("type_account.deleted", "1"), ("client_id", "app")]
        let asked = try await browser.post("/admin/new-endpoint", typed)
        #expect(asked.status == 200 && asked.text.contains("account.deleted"))
        #expect(try await gateway.endpoint(url) == nil)
        let form = try HTMLDocument(Array(asked.text.utf8))
        let once = try #require(form.elements.first { $0.attributes["name"] == "once" }?.attributes["value"])
        let made = try await browser.confirm("a service was made")
        #expect(made.status == 200)
        let again = [("confirmed", "1"), ("reason", "a service was made"), ("once", once)]
        #expect(try await browser.post("/admin/new-endpoint", typed + again).status == 409)
        #expect(made.header("Cache-Control")?.contains("no-store") == true)
        let document = try HTMLDocument(Array(made.text.utf8))
        let secret = try #require(document.element(id: "secret")?.text)
        #expect(secret.hasPrefix("whsec_"))
        let id = try #require(try await gateway.endpoint(url))
        #expect(try await gateway.audit(made).map(\.action) == ["event_endpoint_added"])
        for path in ["/admin/events", "/admin/events/\(id)"] {
            let page = try await browser.visit(path)
            #expect(page.text.contains(url) && page.text.contains("account.deleted"), "\(path)")
            #expect(!page.text.contains("whsec_"), "\(path)")
        }
        try await gateway.change("delete from event_endpoints where id = \(id)::uuid")
    }

    @Test(
        "Errors appear at their fields, with the entries",
        arguments: [
            ("url", "ftp://ducks.org/", "url", "Enter an https address that can receive events."),
            ("url", "https://me:secret@ducks.org/", "url", "Enter an https address that can receive events."),
            ("url", "", "url", "Enter an https address that can receive events."),
            ("type_account.sold", "1", "types", "Choose another value."),
        ])
    func mistakes(_ field: String, _ typed: String, _ place: String, _ words: String) async throws {
        let gateway = try GatewayProcess.current
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let token = try await browser.token()
        let fields = [("url", "https://ducks.org/")].filter { $0.0 != field } + [(field, typed)]
        let answer = try await browser.post(
            "/admin/new-endpoint", fields + [("form_token", token), ("confirmed", "1")])
        #expect(answer.status == 400)
        let document = try HTMLDocument(Array(answer.text.utf8))
        #expect(document.element(id: "wrong-\(place)")?.text == words)
        if field == "url" { #expect(document.element(id: "url")?.attributes["value"] == typed) }
        let row = try #require(try await gateway.audit(answer).first)
        #expect(row.reason == "invalid_request" && row.detail?.array?.count == 1)
        let pointer = row.detail?.array?.first?["pointer"]?.string ?? ""
        #expect(pointer.hasPrefix("/\(place)"), "\(row.detail?.text ?? "")")
        #expect(row.detail?.text.contains("secret") == false && row.detail?.text.contains("ducks") == false)
    }

    @Test("A change shows the differences, needs a reason, and changes nothing else")
    func change() async throws {
        let gateway = try GatewayProcess.current
        let url = Self.url()
        try await gateway.withEndpoint(url, types: "{account.created}") { id in
            let browser = try await ConsoleOperator.browser(gateway, .admin)
            let token = try await browser.token()
            let path = "/admin/events/\(id)/change"
            let settings = [
                ("form_token", token), ("url", url), ("type_account.created", "1"), ("type_account.deleted", "1"),
            ]
            let asked = try await browser.post(path, settings)
            #expect(try asked.differences == ["Event types"])
            let done = try await browser.confirm("more is wanted")
            #expect(done.text.contains("Endpoint changed."))
            #expect(try await browser.post(path, settings).status == 409)
            #expect(browser.problem == "Nothing to change.")
        }
    }

    /// An action, and its entry in the audit log.
    static let deeds = [
        ("disable", "The endpoint is disabled.", "event_endpoint_changed"),
        ("replay_dead", "Queued: 2", "events_replayed"),
        ("replay_since&from=2026-01-01T00%3A00", "Queued: 3", "events_replayed"),
        ("replay_since&from=2020-01-01T00%3A00&to=2020-02-01T00%3A00", "Queued: 0", "events_replayed"),
        ("replay_one&delivery=", "The delivery is queued.", "events_replayed"),
        ("secret", "Copy the secret now", "event_secret_replaced"),
        ("remove", "The endpoint is removed.", "event_endpoint_removed"),
    ]

    @Test("Every action is described first, needs a reason, and is audited", arguments: deeds)
    func act(_ choice: String, _ words: String, _ action: String) async throws {
        let gateway = try GatewayProcess.current
        try await gateway.withEndpoint { id in
            let dead = try await gateway.tell(id, states: ["dead", "dead", "delivered", "waiting"])[0]
            let browser = try await ConsoleOperator.browser(gateway, .admin)
            let asked = try await browser.visit(
                "/admin/events/\(id)/act?do=\(choice.hasSuffix("=") ? choice + dead : choice)")
            #expect(asked.status == 200, "\(asked.text)")
            let wordless = try await browser.confirm(" ")
            #expect(wordless.status == 400 && browser.problem == "Enter a reason.")
            let done = try await browser.confirm("the shop asked")
            #expect(done.text.contains(words), "\(done.text)")
            let rows = try await gateway.lastAudit(action, of: id, or: dead)
            #expect(rows == ["the shop asked"])
        }
    }

    @Test("A test event needs no reason, and is audited without one")
    func testEvent() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.withEndpoint { id in
            let browser = try await ConsoleOperator.browser(gateway, .admin)
            try await browser.visit("/admin/events/\(id)")
            let form = try #require(browser.page.forms.first { $0.action == "/admin/events/\(id)/act" })
            let done = try await browser.post(form.action, form.fields)
            #expect(done.text.contains("The test event is queued."), "\(done.text)")
            let sent = try await gateway.count(
                """
                select count(*) from audit_events where action = 'event_test_sent' and coalesce(words, '') = ''
                   and detail->>'endpoint' = \(id)
                """)
            #expect(sent == 1)
        }
    }

    @Test("A second click creates no third secret, which receivers could not know")
    func doubleClick() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.withEndpoint { id in
            let browser = try await ConsoleOperator.browser(gateway, .admin)
            try await browser.visit("/admin/events/\(id)/act?do=secret")
            let form = try #require(browser.page.forms.first { $0.fields.contains { $0.0 == "reason" } })
            let fields = form.fields.map { ($0.0, $0.0 == "reason" ? "it leaked" : $0.1) }
            #expect(try await browser.post(form.action, fields).text.contains("Copy the secret now"))
            #expect(try await browser.post(form.action, fields).status == 409)
            #expect(browser.problem?.hasPrefix("Something has changed.") == true)
            #expect(try await browser.confirm("it leaked again").text.contains("Copy the secret now"))
        }
    }

    @Test("A missing or invalid time is reported")
    func times() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.withEndpoint { id in
            let browser = try await ConsoleOperator.browser(gateway, .admin)
            try await browser.visit("/admin/events/\(id)/act?do=replay_since")
            let document = try HTMLDocument(Array(browser.page.text.utf8))
            #expect(document.element(id: "field-from")?.attributes["type"] == "datetime-local")
            #expect(document.element(id: "reason") == nil && browser.problem == nil)
            try await browser.visit("/admin/events/\(id)/act?do=replay_since&from=yesterday")
            #expect(browser.problem != nil)
        }
    }

    @Test("Deliveries are listed by state and page, each with its attempts, escaped")
    func deliveries() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.withEndpoint { id in
            let states = Array(repeating: "dead", count: 30) + ["delivered", "waiting"]
            let ids = try await gateway.tell(id, states: states)
            let browser = try await ConsoleOperator.browser(gateway, .viewer)
            let list = try await browser.visit("/admin/events")
            let counted = try HTMLDocument(Array(list.text.utf8)).all("a")
            let dead = "/admin/events/\(id)?state=dead"
            #expect(counted.first { $0.attributes["href"] == dead }?.text == "30")
            let first = try await browser.visit(dead)
            #expect(first.text.contains("No answer in time") && first.text.contains("&lt;script&gt;"))
            #expect(!first.text.contains("<script>"))
            let next = try #require(first.links.first { $0.contains("cursor=") })
            #expect(next.contains("state=dead"))
            let second = try await browser.visit(String(next.prefix { $0 != "#" }))
            let shown = [first, second].map { page in ids.filter { page.text.contains("<code>\($0)</code>") } }
            #expect(shown.map(\.count) == [25, 5])
            #expect(Set(shown.flatMap(\.self)) == Set(ids.prefix(30)))
            let delivered = try await browser.visit("/admin/events/\(id)?state=delivered")
            #expect(ids.filter { delivered.text.contains("<code>\($0)</code>") } == [ids[30]])
        }
    }

    @Test("A viewer is offered no change, and refused one", arguments: [OperatorRole.viewer, .support])
    func roles(_ role: OperatorRole) async throws {
        let gateway = try GatewayProcess.current
        let url = Self.url()
        try await gateway.withEndpoint(url) { id in
            let dead = try await gateway.tell(id, states: ["dead"])[0]
            let browser = try await ConsoleOperator.browser(gateway, role)
            try await browser.visit("/admin/events")
            #expect(browser.page.status == 200 && !browser.page.links.contains("/admin/new-endpoint"))
            let path = "/admin/events/\(id)"
            try await browser.visit(path)
            #expect(browser.page.status == 200 && browser.offered.isEmpty)
            #expect(!browser.page.links.contains { $0.hasPrefix("\(path)/") })
            let pages =
                ["\(path)/change", "/admin/new-endpoint"]
                + EndpointAction.allCases.map { "\(path)/act?do=\($0.rawValue)" }
            for page in pages {
                let refused = try await browser.visit(page)
                #expect(refused.status == 403, "\(page)")
                #expect(try await gateway.audit(refused).map(\.reason) == ["role_too_low"])
            }
            let fields = [
                ("form_token", try await browser.token()), ("reason", "because I can"), ("confirmed", "1"),
                ("url", "https://other.ducks.org/"), ("delivery", dead), ("from", "2020-01-01T00:00"),
            ]
            let posts =
                [("\(path)/change", ""), ("/admin/new-endpoint", "")]
                + EndpointAction.allCases.map { ("\(path)/act", $0.rawValue) }
            for (page, choice) in posts {
                let refused = try await browser.post(page, fields + [("do", choice)])
                #expect(refused.status == 403, "\(page) \(choice)")
                let rows = try await gateway.audit(refused)
                #expect(rows.map(\.reason) == ["role_too_low"] && rows.map(\.action) == ["change_events"])
            }
            #expect(try await gateway.endpoint(url) == id)
        }
    }

    @Test("A form without this browser's token changes nothing, and an unknown endpoint has no page")
    func forgery() async throws {
        let gateway = try GatewayProcess.current
        let url = Self.url()
        try await gateway.withEndpoint { other in
            let foreign = try await gateway.tell(other, states: ["dead"])[0]
            try await gateway.withEndpoint(url) { try await forge($0, url, foreign, gateway) }
        }
    }

    private func forge(_ id: String, _ url: String, _ foreign: String, _ gateway: GatewayProcess) async throws {
        let browser = try await ConsoleOperator.browser(gateway, .admin)
        let fields = [("do", "remove"), ("reason", "not me"), ("confirmed", "1"), ("url", "https://evil.example.com/")]
        for path in ["/admin/events/\(id)/act", "/admin/events/\(id)/change", "/admin/new-endpoint"] {
            #expect(try await browser.post(path, fields).status == 403, "\(path)")
        }
        #expect(try await gateway.endpoint(url) == id)
        for path in [
            "/admin/events/nowhere", "/admin/events/\(UUID())", "/admin/events/\(UUID())/act?do=test",
            "/admin/events/\(id)/act?do=sell", "/admin/events/\(id)/act?do=replay_one&delivery=\(foreign)",
        ] {
            #expect(try await browser.visit(path).status == 404, "\(path)")
        }
    }

    @Test("A disabled endpoint is sent no test, and is enabled again")
    func disabled() async throws {
        let gateway = try GatewayProcess.current
        try await gateway.withEndpoint { id in
            let browser = try await ConsoleOperator.browser(gateway, .admin)
            try await browser.visit("/admin/events/\(id)/act?do=disable")
            try await browser.confirm("it is moved")
            #expect(browser.offered.contains("enable") && !browser.offered.contains("test"))
            let token = ("form_token", try await browser.token())
            try await browser.post("/admin/events/\(id)/act", [token, ("do", "test")])
            #expect(browser.problem == "The endpoint is disabled. Enable it first.")
            try await browser.visit("/admin/events/\(id)/act?do=enable")
            try await browser.confirm("it is there again")
            #expect(browser.offered.contains("test"))
        }
    }
}

extension GatewayProcess {
    /// An endpoint without a listener, for an event that these tests never cause.
    ///
    /// It is removed at the end, because the number of endpoints is limited.
    func withEndpoint(
        _ url: String = "https://\(UUID().uuidString.lowercased()).ducks.org/events",
        types: String = "{provider.event}",
        _ body: (String) async throws -> Void
    ) async throws {
        let id = try await makeEndpoint(url, types: types)
        do {
            try await body(id)
        } catch {
            try await change("delete from event_endpoints where id = \(id)::uuid")
            throw error
        }
        try await change("delete from event_endpoints where id = \(id)::uuid")
    }

    func makeEndpoint(_ url: String, types: String = "{provider.event}") async throws -> String {
        let id = UUID()
        try await change(
            "insert into event_endpoints (id, url, secret, types) values (\(id), \(url), '\\x00', \(types)::text[])")
        return id.uuidString.lowercased()
    }

    fileprivate func endpoint(_ url: String) async throws -> String? {
        try await sql { connection in
            try connection.queryOne("select id from event_endpoints where url = \(url)")?.value(0, as: UUID.self)
        }?.uuidString.lowercased()
    }

    /// Deliveries in these states, in this order, the last the newest; a pending one is due in years.
    func tell(_ endpoint: String, states: [String]) async throws -> [String] {
        var ids: [String] = []
        for state in states {
            let id = "msg_\(Fresh.text())"
            try await change(
                """
                insert into event_deliveries (id, endpoint_id, type, occurred_at, payload, state, tries, not_before,
                                              last_status, last_error, settled_at, give_up_at)
                values (\(id), \(endpoint)::uuid, 'account.created', now(), '{"type": "<script>"}', \(state), 3,
                        now() + interval '10 years', case \(state) when 'delivered' then 204 end,
                        case \(state) when 'delivered' then null else 'timed_out' end,
                        case \(state) when 'waiting' then null else now() end, now() + interval '3 days')
                """)
            ids.append(id)
        }
        return ids
    }

    /// The reasons in the audit log for an endpoint or its delivery.
    fileprivate func lastAudit(_ action: String, of endpoint: String, or delivery: String) async throws -> [String] {
        try await sql { connection in
            try connection.query(
                """
                select words from audit_events where action = \(action)
                   and (strpos(detail::text, \(endpoint)) > 0 or strpos(detail::text, \(delivery)) > 0)
                """
            ).map { try $0.value(0) }
        }
    }
}
