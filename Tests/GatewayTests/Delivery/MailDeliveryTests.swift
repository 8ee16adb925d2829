import JSON
import Postgres
import TestSupport
import Testing

/// Codes through a real mail server.
@Suite("Mail delivery")
struct MailDeliveryTests {
    @Test("a code arrives over STARTTLS with a login, in the requested language, as text and HTML")
    func delivery() async throws {
        try await withMailServer { gateway, server in
            let email = Fresh.email()
            let request = TestRequest("POST", "/v1/sign-up").json([
                "client_id": "app", "username": .string(email), "password": .string(GatewayProcess.password),
            ])
            let answer = try await gateway.send(request.header("Accept-Language", "fr, de-AT;q=0.9, en;q=0.5"))
            let flow = try #require(answer.json["flow"]?.string)
            let code = try await server.code(to: email)
            let mail = try #require(server.mails.first)
            #expect(mail.subject.hasPrefix("\(code) ist Ihr Code"))
            #expect(mail.text.contains("\n    \(code)\n"))
            #expect(mail.text.contains("multipart/alternative") && mail.decoded.contains(">\(code)</p>"))
            #expect(try SignedInAnswer(try await gateway.confirm(flow, code)).email == email)
            // Nothing is printed and no file is written, because the mail server has it.
            #expect(gateway.child.output.isEmpty)
            #expect(gateway.mails(to: email).isEmpty)
            try await gateway.expectOutbox(email, "sent 1")
        }
    }

    @Test("a mail server that is down or busy delays no request, and the code arrives after its recovery")
    func later() async throws {
        try await withMailServer { gateway, server in
            let email = Fresh.email()
            try server.answerNext("RCPT 451 later", "MESSAGE 452 full")
            let flow = try await gateway.beginSignUp(email)
            try await gateway.expectOutbox(email, "waiting 1 deferred_451")
            #expect(server.mails.isEmpty)
            // Deferred twice, accepted the third time.
            let code = try await poll(within: .seconds(60)) {
                server.mails.count == 2 ? server.mails.last?.code : nil
            }
            try await gateway.expectOutbox(email, "sent 3")
            #expect(Set(server.mails.map(\.messageID)).count == 1)
            #expect(try SignedInAnswer(try await gateway.confirm(flow, code)).email == email)
        }
    }

    @Test(
        "a permanently refused address is reported, with or without an account",
        arguments: ["RCPT", "DATA", "MESSAGE"])
    func refused(stage: String) async throws {
        try await withMailServer { gateway, server in
            let (known, unknown) = (Fresh.email(), Fresh.email())
            let flow = try await gateway.beginSignUp(known)
            _ = try await gateway.confirm(flow, try await server.code(to: known))
            var answers: [TestAnswer] = []
            for email in [known, unknown] {
                try server.answerNext("\(stage) 550 nobody")
                answers.append(try await gateway.trySignUp(email))
                try await gateway.expectOutbox(email, "refused 1 rejected_550")
            }
            for answer in answers {
                #expect(answer.status == 422)
                #expect(answer.code == "delivery_refused")
            }
            #expect(answers[0].likeness == answers[1].likeness)
        }
    }

    @Test("a connection that breaks after the message is retried with the same Message-ID")
    func cut() async throws {
        try await withMailServer { gateway, server in
            let email = Fresh.email()
            try server.answerNext("MESSAGE drop")
            _ = try await gateway.beginSignUp(email)
            try await gateway.expectOutbox(email, "waiting 1 connection_lost")
            _ = try await poll(within: .seconds(30)) { server.mails.count == 2 ? () : nil }
            try await gateway.expectOutbox(email, "sent 2")
            #expect(server.mails[0].messageID == server.mails[1].messageID)
            #expect(server.mails[0].messageID.hasSuffix("@example.com>"))
        }
    }

    @Test("A-07: after a kill between the commit and the mail, the next gateway sends it")
    func killed() async throws {
        try await withDeployment { deployment in
            let server = try await MailServer.start(in: deployment.folder)
            let (email, other) = (Fresh.email(), Fresh.email())
            try await deployment.serving(server.configuration) { gateway in
                try server.answerNext("GREETING hang")
                let asked = Task { try await gateway.trySignUp(email) }
                try await server.gaveAnswers()
                await gateway.kill9()
                _ = try? await asked.value
            }
            #expect(server.mails.isEmpty)
            try await deployment.serving(server.configuration) { next in
                try await next.expectOutbox(email, "waiting 1")
                // The dead server's lease has expired.
                try await next.change("update outbox set claimed_until = now() where address = \(email)")
                #expect(try await server.code(to: email).count == 6)
                _ = try await next.beginSignUp(other)
                try await next.expectOutbox(email, "sent 2")
            }
            #expect(server.mails.count { $0.recipient.contains(email) } == 1)
        }
    }

    @Test("two gateways send each message once")
    func pair() async throws {
        try await withDeployment { deployment in
            let server = try await MailServer.start(in: deployment.folder)
            try await deployment.serving(server.configuration) { one in
                try await deployment.serving(server.configuration) { two in
                    try await one.change(
                        """
                        insert into outbox (id, medium, address, kind, detail, expires_at)
                        select gen_random_uuid(), 'email', 'user@example.com', 'notice.refresh_reuse', '{}', now() + interval '1 day'
                          from generate_series(1, 60)
                        """)
                    try await one.change("notify gateway_outbox")
                    _ = try await inParallel(10) { number in
                        _ = try await (number.isMultiple(of: 2) ? one : two).beginSignUp(Fresh.email())
                    }
                    _ = try await poll(within: .seconds(60)) {
                        try await one.count("select count(*) from outbox where state = 'sent'") == 70 ? () : nil
                    }
                    #expect(server.mails.count == 70)
                    #expect(Set(server.mails.map(\.messageID)).count == 70)
                }
            }
        }
    }

    @Test("a stop ends a running delivery")
    func stopped() async throws {
        try await withDeployment { deployment in
            let server = try await MailServer.start(in: deployment.folder)
            let email = Fresh.email()
            try await deployment.serving(server.configuration) { gateway in
                // This message has no waiting request.
                try await gateway.change(
                    """
                    insert into outbox (id, medium, address, kind, detail, expires_at)
                    values (gen_random_uuid(), 'email', \(email), 'notice.refresh_reuse', '{}', now() + interval '1 day')
                    """)
                _ = try await poll {
                    try await gateway.count("select count(*) from outbox where tries = 1") == 1 ? () : nil
                }
                await gateway.expectGoodEnd()
            }
            let waiting = try await deployment.database.pool.withConnection {
                try $0.queryOne("select count(*) from outbox where state = 'waiting'")?.value(0, as: Int.self)
            }
            #expect(waiting == 0)
            #expect(server.mails.count == 1)
        }
    }

    private func withMailServer(_ body: (GatewayProcess, MailServer) async throws -> Void) async throws {
        try await withDeployment { deployment in
            let server = try await MailServer.start(in: deployment.folder)
            try await deployment.serving(server.configuration) { gateway in try await body(gateway, server) }
        }
    }
}

extension GatewayProcess {
    /// State, attempts and refusal of the newest message to an address, once they equal the expectation.
    func expectOutbox(_ address: String, _ expected: String, sourceLocation: SourceLocation = #_sourceLocation)
        async throws
    {
        var last = ""
        let isSo = try? await poll(within: .seconds(60)) { () -> Bool? in
            last =
                try await sql { connection in
                    try connection.queryOne(
                        """
                        select concat_ws(' ', state, tries, refusal) from outbox where address = \(address)
                         order by created_at desc limit 1
                        """)?.value(0)
                } ?? "nothing"
            return last == expected ? true : nil
        }
        #expect(isSo == true, "\(last) in place of \(expected)", sourceLocation: sourceLocation)
    }
}
