import Accounts
import Cryptography
import Foundation
import JSON
import Postgres

/// The statements of a sign-in that a provider leads (`Functions/steps/`).
struct ProviderFlowStore: Sendable {
    let pool: ConnectionPool

    /// A flow whose next answer has been paid for.
    struct Taken: Sendable {
        let id: UUID
        let revision: Int
        var flow: ProviderFlow
        let triesLeft: Int
    }

    /// Counts an attempt; answers how long to wait, in seconds.
    func pay(_ price: [Throttle]) async throws -> Double {
        try await pool.withConnection { connection in
            try connection.queryOne("select take_from_throttles(\(price))")?.value(0) ?? 0
        }
    }

    func begin(
        _ id: UUID, _ flow: ProviderFlow, guessing bucket: [UInt8], seconds: Int, _ request: SignInRequest,
        _ box: SealedBox
    ) async throws {
        let state = JSONText(flow.json(box, id, guessing: bucket).text)
        _ = try await pool.withConnection { connection in
            try connection.execute(
                """
                select begin_provider_flow(\(id), \(request.client.id), \(state), \(Int32(clamping: seconds)), \(flow.provider),
                                           \(request.caller.address), \(request.caller.requestID))
                """)
        }
    }

    func take(_ id: UUID, client: String, _ box: SealedBox) async throws -> Taken {
        try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select outcome, wait, revision, state::text, tries_left
                  from take_provider_flow(\(id), \(client), \(FlowLimits.provider))
                """)
            guard let row else { throw Rejection.internalError }
            switch try row.optionalOutcome(0, ProviderFlowTaking.self, RefusalWord.self) {
            case nil: break
            case .own(.wait): throw Rejection.throttled(retryAfter: try row.wholeSeconds(1))
            case .refused(let word): throw Rejection(word)
            }
            let state = try JSON(parsing: try row.value(3, as: String.self), limits: .provider)
            guard let flow = ProviderFlow.read(state, box, id) else { throw Rejection.flowExpired }
            return Taken(id: id, revision: try row.value(2), flow: flow, triesLeft: try row.value(4))
        }
    }

    /// A flow as it waits, and for how many seconds more.
    func waiting(_ id: UUID, client: String, _ box: SealedBox) async throws -> (ProviderFlow, Int) {
        try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select state::text, extract(epoch from expires_at - now())::float8 from flows
                 where id = \(id) and kind = 'provider' and client_id = \(client) and expires_at > now()
                """)
            guard let row,
                let flow = ProviderFlow.read(
                    try JSON(parsing: try row.value(0, as: String.self), limits: .provider), box, id)
            else { throw Rejection.flowExpired }
            return (flow, Int(try row.value(1, as: Double.self)))
        }
    }

    /// False when another answer was faster.
    func keep(
        _ id: UUID, _ flow: ProviderFlow, guessing bucket: [UInt8], revision: Int, isNext: Bool, seconds: Int,
        _ box: SealedBox
    ) async throws -> Bool {
        let state = JSONText(flow.json(box, id, guessing: bucket).text)
        return try await pool.withConnection { connection in
            try connection.queryOne(
                "select keep_provider_flow(\(id), \(Int32(revision)), \(state), \(isNext), \(Int32(clamping: seconds)))"
            )?.value(0) ?? false
        }
    }

    func end(_ id: UUID) async throws {
        _ = try await pool.withConnection { connection in
            try connection.execute("delete from flows where id = \(id) and kind = 'provider'")
        }
    }

    /// Keeps a password that a provider has taken, where the account has none.
    func keepPassword(_ hash: String, of signedIn: SignedIn, _ provider: String, _ request: SignInRequest) async throws
        -> Bool
    {
        try await pool.withConnection { connection in
            try connection.queryOne(
                """
                select keep_migrated_password(\(signedIn.account.id), \(signedIn.sessionID), \(hash), \(provider), \(request.client.id),
                                              \(request.caller.address), \(request.caller.requestID))
                """
            )?.value(0) ?? false
        }
    }
}

/// Why an answer to a provider's step is not asked about (`take_provider_flow`); null lets it through.
enum ProviderFlowTaking: String, OutcomeWord {
    static let functions = ["take_provider_flow"]

    case wait
}
