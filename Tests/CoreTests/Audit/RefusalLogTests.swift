import Audit
import Postgres
import TestSupport
import Testing
import Vocabulary

@Suite("Queued refusals of the audit log")
struct RefusalLogTests {
    private static let event = RefusedEvent(
        action: "sign_in", reason: "credential_invalid", caller: Caller(address: "192.0.2.1", requestID: "test"))

    /// Makes the database refuse rows with that code.
    private static func refuse(_ code: String, in database: TestDatabase) async throws {
        try await database.pool.withConnection {
            try $0.executeScript(
                """
                create function refuse_for_a_test() returns trigger language plpgsql as
                    $$ begin raise exception 'refused' using errcode = '\(code)'; end $$;
                create trigger refuse_for_a_test before insert on audit_inbox
                    for each statement execute function refuse_for_a_test()
                """)
        }
    }

    @Test(
        "they wait while the server is unavailable, and are dropped if it will never accept them",
        arguments: [
            ("53100", true), ("53200", true), ("57P01", true), ("55P03", true), ("40001", true), ("25006", true),
            ("58030", true), ("22001", false), ("23514", false), ("42501", false),
        ])
    func kept(code: String, waits: Bool) async throws {
        try await withTestDatabase { database in
            let log = RefusalLog(pool: database.pool, few: 10, logger: .silent)
            try await Self.refuse(code, in: database)
            log.record(Self.event)
            await log.flush()
            try await database.pool.withConnection {
                try $0.executeScript("drop trigger refuse_for_a_test on audit_inbox")
            }
            await log.flush()
            let count: Int? = try await database.pool.withConnection {
                try $0.queryOne("select count(*) from audit_events")?.value(0)
            }
            #expect(count == (waits ? 1 : 0))
        }
    }

    private static func written(in database: TestDatabase) async throws -> Int? {
        try await database.pool.withConnection { try $0.queryOne("select count(*) from audit_events")?.value(0) }
    }

    /// Cancels the service, like a service group at the end of its shutdown time.
    private static func runCancelled(_ log: RefusalLog) async {
        let work = Task {
            unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
            try await log.run()
        }
        _ = await work.result
    }

    @Test("a cancelled service writes the rest")
    func cancelled() async throws {
        try await withTestDatabase { database in
            let log = RefusalLog(pool: database.pool, few: 10, logger: .silent)
            log.record(Self.event)
            await Self.runCancelled(log)
            let written = try await Self.written(in: database)
            #expect(written == 1)
        }
    }

    @Test("a cancelled service doesn't wait for a slow database")
    func cancelledBeforeSlowDatabase() async throws {
        try await withTestDatabase { database in
            let log = RefusalLog(pool: database.pool, few: 10, logger: .silent)
            try await database.pool.withConnection {
                try $0.executeScript(
                    """
                    create function wait_for_a_test() returns trigger language plpgsql as
                        $$ begin perform pg_sleep(45); return null; end $$;
                    create trigger wait_for_a_test before insert on audit_inbox
                        for each statement execute function wait_for_a_test()
                    """)
            }
            log.record(Self.event)
            let start = ContinuousClock.now
            await Self.runCancelled(log)
            #expect(ContinuousClock.now - start < .seconds(30))
            try await database.pool.withConnection {
                try $0.executeScript("drop trigger wait_for_a_test on audit_inbox")
            }
            await log.flush()
            let written = try await Self.written(in: database)
            // The first statement may have been committed, so its row is written again.
            #expect((1...2).contains(written ?? 0))
        }
    }
}
