import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// One row of the audit log.
struct AuditRow: Sendable, Equatable {
    let action: String
    let outcome: String
    let reason: String?
    let account: String?
    let identity: String?
    let session: String?
    let client: String?
    let provider: String?
    let detail: JSON?
    /// The operator's account.
    let actor: String?
    /// The operator's reason.
    let words: String?
}

extension GatewayProcess {
    /// The audit rows of a request, oldest first, once there are that many.
    ///
    /// Refusals are written within a second of the answer, changes before it.
    func audit(_ answer: TestAnswer, atLeast least: Int = 1) async throws -> [AuditRow] {
        try await audit(requestID: answer.requestID, atLeast: least)
    }

    func audit(requestID: String, atLeast least: Int = 1) async throws -> [AuditRow] {
        var rows: [AuditRow] = []
        for _ in 0..<500 {
            rows = try await auditRows(
                """
                select action, outcome, reason, account_id, identity_id, session_id, client_id, provider, detail::text, actor_id, words
                  from audit_events where request_id = \(requestID) order by id
                """)
            if rows.count >= least { return rows }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw HarnessError("The request \(requestID) left \(rows.count) audit rows in place of \(least).")
    }

    /// The audit rows of an account, oldest first.
    func audit(account: String) async throws -> [AuditRow] {
        try await auditRows(
            """
            select action, outcome, reason, account_id, identity_id, session_id, client_id, provider, detail::text, actor_id, words
              from audit_events where account_id = \(account)::uuid order by id
            """)
    }

    private func auditRows(_ query: SQL) async throws -> [AuditRow] {
        try await sql { connection in
            try connection.query(query).map { row in
                AuditRow(
                    action: try row.value(0), outcome: try row.value(1), reason: try row.value(2),
                    account: try row.value(3, as: UUID?.self)?.uuidString.lowercased(),
                    identity: try row.value(4, as: UUID?.self)?.uuidString.lowercased(),
                    session: try row.value(5, as: UUID?.self)?.uuidString.lowercased(), client: try row.value(6),
                    provider: try row.value(7),
                    detail: try row.value(8, as: String?.self).map { try JSON(parsing: $0) },
                    actor: try row.value(9, as: UUID?.self)?.uuidString.lowercased(), words: try row.value(10)
                )
            }
        }
    }

    /// Expects a refusal: status, code and form of the answer, no echo of the credential, and exactly one audit row
    /// with the reason.
    ///
    /// - Parameter provider: the provider in the audit row; nil if none was reached.
    func expectRefusal(
        _ answer: TestAnswer, _ status: Int, _ code: String, action: String = "sign_in", provider: String? = nil,
        isOAuth: Bool = false, leavesRow: Bool = true, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(answer.status == status, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(answer.code == code, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(
            answer.header("Content-Type") == (isOAuth ? "application/json" : "application/problem+json"),
            sourceLocation: sourceLocation)
        #expect(answer.json["request_id"]?.string == answer.requestID, sourceLocation: sourceLocation)
        #expect(answer.json["session"] == nil, sourceLocation: sourceLocation)
        if status == 503 || status == 429 {
            let seconds = answer.header("Retry-After").flatMap { Int($0) } ?? 0
            #expect(seconds >= 1, "Retry-After is missing", sourceLocation: sourceLocation)
        }
        guard leavesRow else { return try await expectNoRow(answer, sourceLocation: sourceLocation) }
        let rows = try await audit(answer)
        let row = try #require(rows.first, sourceLocation: sourceLocation)
        #expect(rows.count == 1, sourceLocation: sourceLocation)
        #expect(row.action == action, sourceLocation: sourceLocation)
        #expect(row.outcome == "refused", sourceLocation: sourceLocation)
        #expect(row.reason == code, sourceLocation: sourceLocation)
        if let provider { #expect(row.provider == provider, sourceLocation: sourceLocation) }
    }

    /// Expects that a refusal was only counted: a later one has a row, and this one has none.
    private func expectNoRow(_ answer: TestAnswer, sourceLocation: SourceLocation) async throws {
        let later = try await post("/v1/sign-in", ["provider": "nobody", "client_id": "app", "credential": [:]])
        _ = try await audit(later)
        let rows = try await count("select count(*) from audit_events where request_id = \(answer.requestID)")
        #expect(rows == 0, sourceLocation: sourceLocation)
    }
}
