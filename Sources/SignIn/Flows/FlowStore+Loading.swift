import Accounts
import Cryptography
import Foundation
import JSON
import Postgres
import Sessions
import Vocabulary

extension FlowStore {
    /// The flow with the wait of the caller's network in seconds; nil for one that has ended or can't be opened any more.
    ///
    /// - Parameters:
    ///   - mark: the digest by which the account may know the device.
    ///   - address: the caller's.
    ///   - asking: the network buckets of wrong answers, which are not charged here.
    ///   - context: makes the context of a flow, its account, and the account's factors.
    func load(
        _ flow: UUID, _ kind: FlowKind, client: String, mark: [UInt8]?, from address: String?, asking: [Throttle],
        _ context: @escaping @Sendable (SignInFlow, UUID?, AccountFactors) -> FlowContext
    ) async throws -> (context: FlowContext, networkWait: Int)? {
        let limits = kind.limits
        return try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select revision, account_id, state::text, sealed, seconds_left, factors::text, hash, subject,
                       failures, code_digest, guess_wait, wait_for_throttles(\(asking)),
                       identity_id, link_flow, session_id, renews, new_account, proofs::text
                  from load_flow(\(flow), \(kind.rawValue), \(client), \(limits), \(mark), \(address))
                """)
            guard let row, let revision = try row.value(0, as: Int?.self), let stored = try stored(flow, row) else {
                return nil
            }
            let factors = try row.value(5, as: String?.self).flatMap {
                AccountFactors(try JSON(parsing: $0, limits: .provider))
            }
            var loaded = context(stored, try row.value(1), factors ?? AccountFactors())
            loaded.revision = revision
            try loaded.read(row)
            return (loaded, try row.wholeSeconds(11))
        }
    }

    /// Nil for an unknown version, or a state sealed with a removed key.
    private func stored(_ id: UUID, _ row: Row) throws -> SignInFlow? {
        let facts = try JSON(parsing: try row.value(2, as: String.self))
        let sealed: [UInt8]? = try row.value(3)
        guard let progress = try? sealed.map({ try FlowProgress(opening: $0, box, id) }) ?? FlowProgress(),
            var flow = SignInFlow(facts: facts, progress)
        else { return nil }
        (flow.identity, flow.linkFlow, flow.session) = (try row.value(12), try row.value(13), try row.value(14))
        (flow.renews, flow.isNewAccount) = (try row.value(15), try row.value(16))
        flow.proofs = Proofs(try JSON(parsing: try row.value(17, as: String.self)))
        return flow
    }

    /// A flow in the form of its row: the facts, and the sealed progress.
    struct Stored: Sendable {
        fileprivate let facts: String
        fileprivate let sealed: [UInt8]
    }

    func stored(_ flow: SignInFlow, _ id: UUID) throws -> Stored {
        Stored(facts: flow.facts.text, sealed: try flow.progress.sealed(box, id))
    }
}

extension SQL.StringInterpolation {
    /// Binds a flow as two arguments: the facts and the sealed progress; both are null for none.
    mutating func appendInterpolation(_ stored: FlowStore.Stored?) {
        appendInterpolation((stored?.facts).map(JSONText.init))
        appendLiteral(", ")
        appendInterpolation(stored?.sealed)
    }
}

extension FlowKind {
    fileprivate var limits: FlowLimits { self == .provider ? .provider : .steps }
}

extension FlowContext {
    /// Reads seconds_left, hash, subject, failures, code_digest and guess_wait.
    fileprivate mutating func read(_ row: Row) throws {
        let hash: String? = try row.value(6)
        secondsLeft = Int(try row.value(4, as: Double?.self) ?? 0)
        passwordHash = factors.passwordState == .resetRequired ? nil : hash
        replacedHashes = (hash.map { [$0] } ?? []) + factors.formerHashes
        (subject, codeDigest) = (try row.value(7), try row.value(9))
        failures = Int(try row.value(8, as: Int32?.self) ?? 0)
        guessWait = try row.wholeSeconds(10)
    }
}
