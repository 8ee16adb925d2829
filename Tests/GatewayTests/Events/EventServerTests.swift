import Foundation
import JSON
import Postgres
import TestSupport
import Testing

@Suite("Events of a gateway to services of the operator's", .gateway(StepServer.configuration))
struct EventServerTests {
    private static let why: JSON = ["reason": "a service was made"]

    @Test("an endpoint is added, used, tested, given a new secret, disabled and removed, each audited")
    func life() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        try await OperatorService.with { service, url in
            service.answers(.init(status: 204, body: ""))
            let sent: JSON = ["url": .string(url), "types": ["account.created"], "reason": "a service was made"]
            let made = try await gateway.admin("POST", "events/endpoints", sent, by: admin)
            #expect(made.status == 201, "\(made.text)")
            let id = try #require(made.json["endpoint"]?["id"]?.string)
            let secret = try #require(made.json["secret"]?.string)
            #expect(secret.hasPrefix("whsec_"))
            let row = try #require(try await gateway.audit(made).first { $0.action == "event_endpoint_added" })
            #expect(row.actor == admin.account && row.detail?.text.contains(secret) == false)

            let person = try await gateway.session("apple")
            let told = try await poll(within: .seconds(60)) {
                service.received.first { $0.json["data"]?["account_id"]?.string == person.account }
            }
            #expect(told.json["type"] == "account.created" && told.headers["webhook-id"]?.hasPrefix("msg_") == true)
            #expect(!told.text.contains("@"))

            let test = try await gateway.admin("POST", "events/endpoints/\(id)/test", Self.why, by: admin)
            let delivery = try #require(test.json["delivery"]?.string, "\(test.text)")
            _ = try await poll(within: .seconds(60)) {
                service.received.first { $0.headers["webhook-id"] == delivery && $0.json["type"] == "test" }
            }
            let other = try await gateway.admin("POST", "events/endpoints/\(id)/secret", Self.why, by: admin)
            #expect(other.json["secret"]?.string != secret && other.json["endpoint"]?["former_secret_until"] != .null)
            let disabled = try await gateway.admin(
                "PATCH", "events/endpoints/\(id)", ["disabled": true, "reason": "over"], by: admin)
            #expect(disabled.json["endpoint"]?["disabled"] == true, "\(disabled.text)")
            let list = try await gateway.admin("GET", "events/endpoints", by: admin)
            #expect(list.json["endpoints"]?.array?.contains { $0["id"]?.string == id } == true)
            #expect(!list.text.contains("whsec_"))
            let removed = try await gateway.admin("DELETE", "events/endpoints/\(id)", Self.why, by: admin)
            #expect(removed.status == 204, "\(removed.text)")
        }
    }

    @Test("a redirect isn't followed; a failed delivery is listed, and retried with its id by an operator")
    func redirect() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        try await OperatorService.with { service, url in
            service.answers(.init(status: 302, body: "", location: url))
            let made = try await gateway.admin(
                "POST", "events/endpoints", ["url": .string(url), "types": ["provider.event"], "reason": "a test"],
                by: admin)
            let id = try #require(made.json["endpoint"]?["id"]?.string, "\(made.text)")
            let test = try await gateway.admin("POST", "events/endpoints/\(id)/test", Self.why, by: admin)
            let delivery = try #require(test.json["delivery"]?.string, "\(test.text)")
            let failed = try await poll(within: .seconds(60)) {
                let answer = try await gateway.admin("GET", "events/deliveries?endpoint=\(id)&state=waiting", by: admin)
                return answer.json["deliveries"]?.array?.first { $0["last_error"] == "redirect_refused" }
            }
            #expect(failed["id"]?.string == delivery && failed["next_try_at"]?.string != nil)
            service.answers(.init(status: 200, body: ""))
            try await gateway.change("update event_deliveries set not_before = now() where id = \(delivery)")
            _ = try await poll(within: .seconds(60)) {
                let answer = try await gateway.admin(
                    "GET", "events/deliveries?endpoint=\(id)&state=delivered", by: admin)
                return answer.json["deliveries"]?.array?.first
            }
            let count = service.received.count
            let replayed = try await gateway.admin("POST", "events/deliveries/\(delivery)/replay", Self.why, by: admin)
            #expect(replayed.status == 204, "\(replayed.text)")
            _ = try await poll(within: .seconds(60)) { service.received.count > count ? () : nil }
            #expect(Set(service.received.compactMap { $0.headers["webhook-id"] }) == [delivery])
            let span: JSON = ["from": "2020-01-01T00:00:00Z", "reason": "a test"]
            let again = try await gateway.admin("POST", "events/endpoints/\(id)/replay", span, by: admin)
            #expect(again.status == 200 && again.json["replayed"]?.integer != nil, "\(again.text)")
            _ = try await gateway.admin("DELETE", "events/endpoints/\(id)", Self.why, by: admin)
        }
    }

    /// Invalid settings of an endpoint, and the field of the error.
    static let malformed: [(body: JSON, pointer: String)] = [
        (["reason": "a test"], "/url"), (["url": "ftp://ducks.org", "reason": "a test"], "/url"),
        (["url": "https://me:secret@ducks.org/", "reason": "a test"], "/url"),
        (["url": "https://ducks.org/", "types": "all", "reason": "a test"], "/types"),
        (["url": "https://ducks.org/", "types": ["account.sold"], "reason": "a test"], "/types/0"),
        (["url": "https://ducks.org/", "client_id": "nobody", "reason": "a test"], "/client_id"),
        (["url": "https://ducks.org/", "secret": "mine", "reason": "a test"], "/secret"),
        (["url": "https://ducks.org/"], "/reason"),
    ]

    @Test("an invalid endpoint is refused by its position, and a viewer changes nothing")
    func refused() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        for row in Self.malformed {
            let answer = try await gateway.admin("POST", "events/endpoints", row.body, by: admin)
            #expect(answer.code == "invalid_request", "\(row)")
            #expect(answer.json["errors"]?.array?.first?["pointer"]?.string == row.pointer, "\(row): \(answer.text)")
        }
        for query in ["state=lost", "endpoint=x", "cursor=x"] {
            #expect(try await gateway.admin("GET", "events/deliveries?\(query)", by: admin).code == "invalid_request")
        }
        for (method, path) in [("POST", "/secret"), ("POST", "/test"), ("POST", "/replay"), ("DELETE", "")] {
            let answer = try await gateway.admin(method, "events/endpoints/\(UUID())\(path)", Self.why, by: admin)
            #expect(answer.code == "not_found", "\(method) \(path)")
        }
        let viewer = try await gateway.operatorSession("viewer")
        #expect(try await gateway.admin("GET", "events/deliveries", by: viewer).status == 200)
        let low = try await gateway.admin(
            "POST", "events/endpoints", ["url": "https://ducks.org/", "reason": "a test"], by: viewer)
        try await gateway.expectRefusal(low, 403, "role_too_low", action: "change_events")
    }

    @Test("the command line adds, changes, tests and removes an endpoint")
    func commandLine() async throws {
        let deployment = try GatewayProcess.current.deployment
        let made = try await deployment.run(
            "events", "create", "https://ducks.org/events", "--type", "account.deleted")
        let lines = made.output.split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
        try #require(lines.map(\.first) == ["id", "secret"], "\(made)")
        let id = lines[0][1]
        #expect(lines[1][1].hasPrefix("whsec_"))
        let changed = try await deployment.run(
            "events", "change", id, "--disable-use", "--add-type", "account.merged")
        #expect(
            changed.output == """
                ~ \(id)  changed
                    types:
                      + account.merged
                    disabled: false → true

                """, "\(changed)")
        for (words, error) in [
            (["--type", "acount.deleted"], "--type acount.deleted: choose account.created, "),
            (["--type", "acount.deleted"], "Did you mean 'account.deleted'?"),
            (
                ["--remove-type", "account.merged", "--remove-type", "account.deleted"],
                "without an entry the list means every type"
            ),
        ] {
            let refused = try await deployment.run(["events", "change", id] + words)
            #expect(refused.exitCode != 0 && refused.errors.contains(error), "\(refused)")
        }
        #expect(try await deployment.run("events", "test", id).exitCode == 1)
        let list = try await deployment.run("events", "list")
        #expect(list.output.contains(id) && !list.output.contains("whsec_"))
        #expect(try await deployment.run("events", "deliveries", "--endpoint", id).output == "")
        #expect(try await deployment.run("events", "replay", id, "--json").output == "{\"deliveries\":0}\n")
        let secret = try await deployment.run("events", "replace-secret", id)
        #expect(secret.output.contains("\nsecret\twhsec_"), "\(secret.errors)")
        let removed = try await deployment.run("events", "remove", id, "--yes")
        #expect(removed.output == "Removed the endpoint \(id) and its pending deliveries.\n", "\(removed)")
        let again = try await deployment.run("events", "remove", id, "--yes")
        #expect(again.exitCode == 1 && again.errors.contains("There is no such endpoint"), "\(again.errors)")
    }
}
