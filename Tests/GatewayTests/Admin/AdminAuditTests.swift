import Foundation
import JSON
import NIOCore
import Postgres
import TestSupport
import Testing

@Suite("The audit log for operators", .gateway(StepServer.configuration))
struct AdminAuditTests {
    @Test("pages, filters and the file agree; the export is itself in the log")
    func read() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let person = try await gateway.session("apple")
        let page = try await gateway.admin("GET", "audit?account=\(person.account)", by: admin)
        let rows = try #require(page.json["events"]?.array, "\(page.text)")
        #expect(rows.map { $0["action"] } == ["account_created"])
        let sent: JSON = [
            "format": "jsonl", "filter": ["account": .string(person.account)], "reason": "asked by the auditor",
        ]
        let file = try await gateway.admin("POST", "audit/export", sent, by: admin)
        #expect(file.header("Content-Type") == "application/jsonl")
        let lines = file.text.split(separator: "\n")
        let written = try lines.map { try JSON(parsing: String($0)) }
        #expect(written.prefix(rows.count) == rows[...])
        #expect(written.dropFirst(rows.count).map { $0["action"] } == ["audit_viewed"])
        let taken = try await gateway.audit(file)
        #expect(taken.map(\.action) == ["audit_exported"])
        #expect(taken.map(\.words) == ["asked by the auditor"])
    }

    @Test("views are listed and exported unless `views` is false")
    func views() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let person = try await gateway.session("apple")
        _ = try await gateway.dossier(person.account, by: admin)
        func listed(_ query: String) async throws -> Set<String?> {
            let page = try await gateway.admin("GET", "audit?account=\(person.account)\(query)", by: admin)
            #expect(page.status == 200, "\(page.text)")
            return Set((page.json["events"]?.array ?? []).map { $0["action"]?.string })
        }
        func exported(_ filter: JSONObject) async throws -> TestAnswer {
            var filter = filter
            filter["account"] = .string(person.account)
            let sent: JSON = ["format": "jsonl", "filter": .object(filter), "reason": "asked by the auditor"]
            return try await gateway.admin("POST", "audit/export", sent, by: admin)
        }
        #expect(try await listed("") == ["account_created", "account_viewed"])
        #expect(try await listed("&views=true").isSuperset(of: ["account_created", "account_viewed"]))
        #expect(try await listed("&views=false") == ["account_created"])
        #expect(try await exported([:]).text.contains("account_viewed"))
        #expect(try await exported(["views": true]).text.contains("account_viewed"))
        let short = try await exported(["views": false])
        let lines = try short.text.split(separator: "\n").map { try JSON(parsing: String($0)) }
        #expect(lines.map { $0["action"] } == ["account_created"])
        for (refused, pointer) in [
            (try await gateway.admin("GET", "audit?views=no", by: admin), "/views"),
            (try await exported(["views": "false"]), "/filter/views"),
        ] {
            #expect(refused.status == 400 && refused.code == "invalid_request")
            let fault = refused.json["errors"]?.array?.first
            #expect(fault?["pointer"]?.string == pointer && fault?["code"] == "must_be_true_or_false")
        }
    }

    @Test("F6: reading the audit log leaves one row for each view, and none for its further pages")
    func trace() async throws {
        let gateway = try GatewayProcess.current
        let viewer = try await gateway.operatorSession("viewer")
        let person = try await gateway.session("apple")
        func rows(_ answer: TestAnswer) async throws -> Int {
            #expect(answer.status == 200, "\(answer.text)")
            return try await gateway.count("select count(*) from audit_events where request_id = \(answer.requestID)")
        }
        let first = try await gateway.admin("GET", "audit?limit=1", by: viewer)
        let view = try #require(try await gateway.audit(first).first)
        #expect((view.action, view.outcome, view.actor) == ("audit_viewed", "done", viewer.account))
        #expect(try await rows(first) == 1)
        let next = try #require(first.json["next_cursor"]?.string)
        #expect(try await rows(try await gateway.admin("GET", "audit?limit=1&cursor=\(next)", by: viewer)) == 0)
        // A cursor can be forged. With another query it is another view, and with another operator too.
        let other = try await gateway.admin("GET", "audit?action=signed_in&cursor=\(next)", by: viewer)
        #expect(try await rows(other) == 1)
        let second = try await gateway.operatorSession("viewer")
        #expect(try await rows(try await gateway.admin("GET", "audit?limit=1&cursor=\(next)", by: second)) == 1)
        let about = try await gateway.admin("GET", "audit?account=\(person.account)&address=192.0.2.77", by: viewer)
        let looked = try #require(try await gateway.audit(about).first)
        #expect(looked.account == person.account)
        #expect(looked.detail?["filters"] == ["account", "address"])
        #expect(looked.detail?.text.contains("192.0.2.77") == false, "what was typed is not kept")
        let again = try await gateway.admin("GET", "audit?limit=1", by: viewer)
        #expect(try await rows(again) == 1, "another first page is another view")
    }

    @Test(
        "F6: opening a stream of the audit log leaves a row; its events and reconnects leave none")
    func streamTrace() async throws {
        let gateway = try GatewayProcess.current
        let viewer = try await gateway.operatorSession("viewer")
        let id = try #require(UUID(uuidString: viewer.account))
        func views() async throws -> Int {
            try await gateway.count(
                """
                select count(*) from audit_events
                 where actor_id = \(id) and action = 'audit_viewed' and detail->>'way' = 'stream'
                """)
        }
        for field in ["", "Last-Event-ID: 0\r\n"] {
            let text = try await Self.streamed(gateway, viewer, field)
            #expect(text.contains("data:"), "\(text)")
            #expect(try await views() == 1)
        }
        let other = try await gateway.operatorSession("viewer")
        _ = try await Self.streamed(gateway, other, "Last-Event-ID: 0\r\n")
        let unseen = try #require(UUID(uuidString: other.account))
        #expect(
            try await gateway.count(
                "select count(*) from audit_events where actor_id = \(unseen) and action = 'audit_viewed'") == 1)
    }

    /// The events of a stream until it reports a sign-in during the stream.
    private static func streamed(_ gateway: GatewayProcess, _ viewer: SignedInAnswer, _ field: String) async throws
        -> String
    {
        let request =
            "GET /admin/api/v1/audit/stream HTTP/1.1\r\nHost: localhost\r\n\(field)Authorization: Bearer "
            + "\(viewer.accessToken)\r\n\r\n"
        let stream = try await PlainListener.connect(to: gateway.port)
        return try await stream.executeThenClose { inbound, outbound in
            try await outbound.write(.init(string: request))
            var text = ""
            for try await part in inbound {
                if text.isEmpty { _ = try await gateway.session("apple") }
                text += String(buffer: part)
                if text.contains("account_created") { break }
            }
            return text
        }
    }

    @Test("F11: a session has four event streams for both doors together; an ended stream frees its place")
    func streams() async throws {
        let gateway = try GatewayProcess.current
        let viewer = try await gateway.operatorSession("viewer")
        let head = "GET /admin/api/v1/audit/stream HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer "
        let request = "\(head)\(viewer.accessToken)\r\n\r\n"
        var held: [PlainListener.Connection] = []
        for _ in 0..<4 { held.append(try await PlainListener.connect(to: gateway.port)) }
        try await withThrowingTaskGroup { group in
            let (begun, began) = AsyncStream<Bool>.makeStream()
            for connection in held {
                group.addTask {
                    try await connection.executeThenClose { inbound, outbound in
                        try await outbound.write(.init(string: request))
                        for try await part in inbound {
                            began.yield(String(buffer: part).hasPrefix("HTTP/1.1 200"))
                            break
                        }
                        try await Task.sleep(for: .seconds(300))
                    }
                }
            }
            var count = 0
            for await isOpen in begun {
                #expect(isOpen)
                count += 1
                if count == 4 { break }
            }
            let refused = try await gateway.admin("GET", "audit/stream", by: viewer)
            try await gateway.expectRefusal(refused, 429, "too_many_streams", action: "show_audit")
            #expect(try await gateway.admin("GET", "audit", by: viewer).status == 200)
            group.cancelAll()
            while let result = await group.nextResult() { _ = result }
        }
        try await poll(within: .seconds(30)) {
            let stream = try await PlainListener.connect(to: gateway.port)
            return try await stream.executeThenClose { inbound, outbound in
                try await outbound.write(.init(string: request))
                for try await part in inbound { return String(buffer: part).hasPrefix("HTTP/1.1 200") ? () : nil }
                return nil
            }
        }
    }

    @Test("an invalid filter, cursor or format is refused by name, and only admins may export")
    func refused() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        for query in ["account=x", "from=yesterday", "cursor=x", "limit=0"] {
            let answer = try await gateway.admin("GET", "audit?\(query)", by: admin)
            #expect(answer.code == "invalid_request", "\(query)")
            #expect(answer.json["errors"]?.array?.first?["pointer"]?.string == "/\(query.prefix { $0 != "=" })")
        }
        let format = try await gateway.admin("POST", "audit/export", ["format": "xls", "reason": "asked"], by: admin)
        #expect(format.json["errors"]?.array?.first?["pointer"] == "/format")
        let support = try await gateway.operatorSession("support")
        let low = try await gateway.admin("POST", "audit/export", ["reason": "asked by the auditor"], by: support)
        try await gateway.expectRefusal(low, 403, "role_too_low", action: "export_audit")
    }

    @Test("an operator deletes, keeps and exports an account")
    func leaving() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let email = Fresh.email()
        let person = try await gateway.signUp(email)
        let path = "accounts/\(person.account)"
        let why: JSON = ["reason": "asked by letter"]
        let file = try await gateway.admin("POST", "\(path)/export", why, by: admin)
        #expect(file.json["account"]?["id"]?.string == person.account, "\(file.text.prefix(200))")
        let waits = try await gateway.admin("DELETE", path, why, by: admin)
        #expect(waits.status == 202, "\(waits.text)")
        #expect(try await gateway.checkSession(person.accessToken).code == "session_ended")
        #expect(try await gateway.admin("DELETE", path, why, by: admin).code == "nothing_to_change")
        let kept = try await gateway.admin("DELETE", "\(path)/deletion", why, by: admin)
        #expect(kept.json["account"]?["deletion"]?.isNull == true, "\(kept.text)")
        let story = try await gateway.admin("GET", "\(path)/history", by: admin)
        let byOperator = (story.json["events"]?.array ?? []).filter { $0["actor_id"]?.string == admin.account }
        #expect(!byOperator.isEmpty && byOperator.allSatisfy { $0["actor_name"]?.string?.contains("@") == true })
        let gone = try await gateway.admin("DELETE", path, ["now": true, "reason": "asked again"], by: admin)
        #expect(gone.status == 204, "\(gone.text)")
        #expect(try await gateway.admin("GET", path, by: admin).status == 404)
    }

    @Test("an account with a pending deletion is not merged, and merged accounts are deleted with it")
    func joined() async throws {
        let gateway = try GatewayProcess.current
        let admin = try await gateway.operatorSession("admin")
        let kept = try await gateway.session("google")
        let absorbed = try await gateway.session("apple", ["subject": .string(Fresh.subject("apple"))])
        let why: JSON = ["reason": "asked by letter"]
        let preview: JSON = ["absorb": .string(absorbed.account)]
        _ = try await gateway.admin("DELETE", "accounts/\(absorbed.account)", why, by: admin)
        let refused = try await gateway.admin("POST", "accounts/\(kept.account)/merge/preview", preview, by: admin)
        try await gateway.expectRefusal(refused, 409, "deletion_waits", action: "preview_change")
        _ = try await gateway.admin("DELETE", "accounts/\(absorbed.account)/deletion", why, by: admin)
        let shown = try await gateway.admin("POST", "accounts/\(kept.account)/merge/preview", preview, by: admin)
        let merge: JSON = [
            "absorb": .string(absorbed.account), "digest": shown.json["digest"] ?? .null, "reason": "one person",
        ]
        #expect(try await gateway.admin("POST", "accounts/\(kept.account)/merge", merge, by: admin).status == 200)
        let gone: JSON = ["now": true, "reason": "asked by letter"]
        #expect(try await gateway.admin("DELETE", "accounts/\(kept.account)", gone, by: admin).status == 204)
        #expect(try await gateway.admin("GET", "accounts/\(absorbed.account)", by: admin).status == 404)
    }
}
