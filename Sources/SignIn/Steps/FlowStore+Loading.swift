import Accounts
import Cryptography
import Foundation
import JSON
import Postgres
import Sessions

extension FlowStore {
    /// A pending flow, and the facts that its next answer is judged by.
    struct Loaded: Sendable {
        let revision: Int
        let account: UUID?
        /// The number of wrong answers to the pending step, of the flow's owner or of others.
        fileprivate(set) var failures = 0
        let flow: SignInFlow
        /// The remaining time of the step, in seconds.
        fileprivate(set) var secondsLeft = FlowService.life
        let factors: AccountFactors?
        fileprivate(set) var passwordHash: String?
        /// The hashes of the account's password and of those that an operator replaced.
        fileprivate(set) var replacedHashes: [String] = []
        /// The subject of the flow's identity.
        fileprivate(set) var subject: String?
        /// The wait before the next guess, in seconds.
        fileprivate(set) var guessWait = 0
        /// The wait of the caller's network, in seconds; a known device is exempt.
        fileprivate(set) var strangerWait = 0
        /// The digest of the pending code.
        fileprivate(set) var codeDigest: [UInt8]?

        /// A flow that was just begun.
        init(_ flow: SignInFlow, account: UUID? = nil, factors: AccountFactors? = nil, revision: Int = 0) {
            (self.flow, self.account, self.factors, self.revision) = (flow, account, factors, revision)
        }
    }

    /// The flow, or nil for one that has ended or can't be opened any more.
    ///
    /// - Parameters:
    ///   - mark: the digest by which the account may know the device.
    ///   - address: the caller's.
    ///   - asking: the network buckets of wrong answers, which are not charged here.
    func load(
        _ flow: UUID, _ kind: FlowKind, client: String, mark: [UInt8]? = nil, from address: String? = nil,
        asking: [Throttle] = []
    ) async throws -> Loaded? {
        let limits = kind.limits
        return try await pool.withConnection { connection in
            let row = try connection.queryOne(
                """
                select revision, account_id, state::text, sealed, seconds_left, factors::text, hash, subject,
                       failures, code_digest, guess_wait, wait_for_throttles(\(asking))
                  from load_flow(\(flow), \(kind.rawValue), \(client), \(limits), \(mark), \(address))
                """)
            guard let row, let revision = try row.value(0, as: Int?.self) else { return nil }
            return try loaded(flow, revision, row)
        }
    }

    private func loaded(_ id: UUID, _ revision: Int, _ row: Row) throws -> Loaded? {
        guard let flow = try stored(id, row) else { return nil }
        let factors = try row.value(5, as: String?.self).flatMap {
            AccountFactors(try JSON(parsing: $0, limits: .provider))
        }
        let hash: String? = try row.value(6)
        var loaded = Loaded(flow, account: try row.value(1), factors: factors, revision: revision)
        loaded.failures = Int(try row.value(8, as: Int32?.self) ?? 0)
        loaded.secondsLeft = Int(try row.value(4, as: Double?.self) ?? 0)
        loaded.passwordHash = factors?.passwordState == .resetRequired ? nil : hash
        loaded.replacedHashes = (hash.map { [$0] } ?? []) + (factors?.formerHashes ?? [])
        loaded.subject = try row.value(7)
        loaded.codeDigest = try row.value(9)
        loaded.guessWait = Int((try row.value(10, as: Double?.self) ?? 0).rounded(.up))
        loaded.strangerWait = Int(try row.value(11, as: Double.self).rounded(.up))
        return loaded
    }

    /// Nil for an unknown version, or a state sealed with a removed key.
    private func stored(_ id: UUID, _ row: Row) throws -> SignInFlow? {
        let facts = try JSON(parsing: try row.value(2, as: String.self))
        guard let sealed = try row.value(3, as: [UInt8]?.self) else { return SignInFlow(facts: facts, FlowProgress()) }
        guard let progress = try? FlowProgress(opening: sealed, box, id) else { return nil }
        return SignInFlow(facts: facts, progress)
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
