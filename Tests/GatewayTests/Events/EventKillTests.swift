import JSON
import Postgres
import TestSupport
import Testing

/// `kill -9` of the gateway at any moment, observed by a webhook endpoint.
@Suite("Events of a killed gateway")
struct EventKillTests {
    @Test("repeated kills under load neither lose nor invent events")
    func killed() async throws {
        try await withDeployment { deployment in
            try await OperatorService.with { service, url in
                service.answers(.init(status: 200, body: ""))
                let made = try await deployment.run("events", "create", url)
                #expect(made.exitCode == 0, "\(made.errors)")
                for count in [15, 40, 70] {
                    try await deployment.serving { gateway in
                        let load = Task { try await inParallel(6) { _ in await Self.work(gateway) } }
                        _ = try await poll(within: .seconds(180)) { service.received.count >= count ? () : nil }
                        await gateway.kill9()
                        _ = try await load.value
                    }
                }
                try await deployment.serving { gateway in
                    _ = try await poll(within: .seconds(300), every: .milliseconds(200)) {
                        let known = Set(service.received.compactMap { $0.headers["webhook-id"] }).count
                        return known == (try await Self.happened(deployment)).count ? () : nil
                    }
                }
                // An event may arrive twice under one id, but each fact has one event.
                let told = Dictionary(service.received.map { ($0.headers["webhook-id"] ?? "", $0.json) }) { $1 }
                #expect(told.values.map(Self.fact).sorted() == (try await Self.happened(deployment)).sorted())
                #expect(!service.received.contains { $0.text.contains("@") })
            }
        }
    }

    /// Signs in and out until the gateway ends.
    private static func work(_ gateway: GatewayProcess) async {
        while let minted = try? await gateway.simulator.mint("apple", ["subject": .string(Fresh.subject("apple"))]),
            let answer = try? await gateway.signIn(minted),
            let access = answer.json["session"]?["access_token"]?.string,
            (try? await gateway.signOut(access)) != nil
        {}
    }

    private static func fact(_ event: JSON) -> String {
        let session = event["data"]?["session_id"]?.string ?? ""
        return "\(event["type"]?.string ?? "") \(event["data"]?["account_id"]?.string ?? "") \(session)"
    }

    /// The events according to the audit log: new users, sign-ins and sign-outs.
    private static func happened(_ deployment: Deployment) async throws -> [String] {
        try await deployment.database.pool.withConnection { connection in
            try connection.query(
                """
                select t.type || ' ' || e.account_id || ' ' || e.session_id
                  from audit_events e
                  join (values ('account_created', 'account.created'), ('account_created', 'session.created'),
                               ('signed_in', 'session.created'), ('app_signed_in', 'session.created'),
                               ('session_ended', 'session.ended')) t (action, type)
                    on t.action = e.action
                 where e.outcome = 'done'
                """
            ).map { try $0.value(0) }
        }
    }
}
