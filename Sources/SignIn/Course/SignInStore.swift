import Accounts
import Clients
import Foundation
import JSON
import Postgres
import Providers
import Sessions
import Vocabulary

/// The statements of a sign-in: each is one round trip and one transaction (`Functions/sign_in/`).
struct SignInStore: Sendable {
    let pool: ConnectionPool

    /// A verified credential on its way through a sign-in.
    struct Presented: Sendable {
        let identity: VerifiedIdentity
        let spending: [Spending]
        let token: SealedProviderToken?
        let linkFlow: UUID?
        let session: SessionRequest
        /// The price of a request to the provider, charged where the sign-in fails.
        var price: [Throttle] = []
        /// The link flow that the person declines.
        var declined: DeclinedLink?

        /// The same, spending other things.
        func spending(_ spending: [Spending]) -> Presented {
            Presented(
                identity: identity, spending: spending, token: token, linkFlow: linkFlow, session: session, price: price
            )
        }
    }

    /// Stores the attributes of a verified identity, where its account has none of the name.
    func fillAttributes(_ p: Presented) async throws {
        let (identity, caller, known) = (p.identity, p.session.caller, p.session.client.knownAttributes)
        // An attribute that only the app's back end writes is none of the provider's.
        let facts = identity.attributes.filter { fact in known.first { $0.name == fact.key }?.admits(.user) ?? true }
        let attributes = JSON.object(
            JSONObject(facts.map { JSONObject.Member(name: known.key(of: $0.key), value: .string($0.value)) }))
        try await pool.execute(
            """
            select fill_attributes(\(identity.provider), \(identity.realm), \(identity.subject), \(JSONText(attributes.text)), \(p.session.client.id),
                                   \(caller.address), \(caller.requestID))
            """)
    }

    /// A link flow that ends in an account of its own for the identity that waits there.
    struct DeclinedLink: Sendable, Equatable {
        let flow: UUID
        /// The id of the identity, from the flow.
        let identity: UUID
    }

    /// The account and identity of a session that was made.
    struct Person: Sendable, Equatable {
        let account: AccountSummary
        let identity: IdentitySummary
    }

    /// - Parameter new: the account to make for an unknown identity whose address no account has; nil for none.
    func lookUp(_ p: Presented, orMaking new: AccountToMake?) async throws -> SignInMachine.Event {
        let statement: SQL = """
            select outcome, account_id, identity_id, display_name, email, email_proved, account_created, holders::text
              from sign_in(\(p.identity.provider), \(p.identity.realm), \(p.identity.subject), \(p.identity.linkingKey),
                           \(p.spending), \(p.token?.clientID), \(p.token?.sealed), \(p.linkFlow), \(p.session), \(gate: p.session),
                           \(new, of: p.identity))
            """
        return try await pool.spending(p.spending, refused: { .refused($0) }) {
            try await pool.queryOne(statement) { row in
                guard let row else { return .refused(.internalError) }
                return try Self.lookUp(row, p.identity, new)
            }
        }
    }

    enum Adoption: String, OutcomeWord {
        static let functions = ["adopt_transferred_identity"]

        case adopted, unknown, conflict
    }

    /// Moves the identity with this transfer subject to its new subject (`provider_life_cycle/adopt_transferred_identity.sql`).
    func adopt(_ p: Presented, _ former: FormerIdentity) async throws -> Adoption {
        let relay = p.identity.emailIsRelay ? p.identity.address?.text : nil
        return try await pool.withConnection { connection in
            try connection.row(
                """
                select adopt_transferred_identity(
                    \(p.identity.provider), \(former.realm), \(former.transferSubject), \(p.identity.realm), \(p.identity.subject),
                    \(relay), \(p.session.caller.address), \(p.session.caller.requestID))
                """
            ).value(0)
        }
    }

    func createAccount(_ p: Presented, _ new: AccountToMake) async throws -> SignInMachine.Event {
        let statement: SQL = """
            select outcome, account_created
              from sign_in_new_account(\(new.account), \(new.identity), \(p.identity), \(new.address?.text), \(new.address?.key),
                                       \(new.takesAddress), \(new.rule.rawValue), \(JSONText(new.explain.text)), \(p.spending), \(p.token?.clientID),
                                       \(p.token?.sealed), \(p.declined?.flow), \(p.session), \(gate: p.session))
            """
        return try await pool.spending(p.spending, refused: { .refused($0) }) {
            try await pool.queryOne(statement) { row in
                guard let row else { return .refused(.internalError) }
                return try Self.change(row) {
                    .signedIn(new.person(p.identity, createdAt: try row.value(1)), isNew: true)
                }
            }
        }
    }

    /// `asking`: the live session whose account the identity joins; nil where the address decides.
    func link(
        _ p: Presented, account: UUID, identityID: UUID, addressKey: String, asking: UUID?, rule: LinkingPolicy.Rule,
        explain: JSON
    ) async throws -> SignInMachine.Event {
        let waiting = LinkFlowState(
            identityID: identityID, identity: p.identity, token: p.token, provedAt: p.session.authTime,
            reason: .init(rule: rule, explain: explain, addressKey: addressKey))
        let statement: SQL = """
            select outcome, display_name, email, email_proved, account_created
              from sign_in_linking(\(account), \(identityID), \(p.identity), \(addressKey), \(asking), \(rule.rawValue),
                                   \(JSONText(explain.text)), \(JSONText(waiting.json.text)), \(Int32(FlowService.wholeLife)),
                                   \(p.spending), \(p.token?.clientID), \(p.token?.sealed), \(p.session), \(gate: p.session))
            """
        return try await pool.spending(p.spending, refused: { .refused($0) }) {
            try await pool.queryOne(statement) { row in
                guard let row else { return .refused(.internalError) }
                return try Self.change(row) {
                    let identity = IdentitySummary(
                        id: identityID, provider: p.identity.provider, subject: p.identity.subject)
                    let summary = try AccountSummary(account, row, from: 1)
                    return .signedIn(Person(account: summary, identity: identity), isNew: false)
                }
            }
        }
    }

    /// `seconds`: the lifetime of the flow.
    func openLinkFlow(
        _ p: Presented, flow: UUID, account: UUID, addressKey: String, state: LinkFlowState, seconds: Int,
        explain: JSON, pending: PendingStep
    ) async throws -> SignInMachine.Event {
        let statement: SQL = """
            select outcome
              from open_link_flow(\(account), \(flow), \(p.session.client.id), \(addressKey), \(JSONText(state.json.text)),
                                  \(Int32(seconds)), \(JSONText(explain.text)), \(p.spending), \(p.session.caller.address),
                                  \(p.session.caller.requestID))
            """
        return try await pool.spending(p.spending, refused: { .refused($0) }) {
            try await pool.queryOne(statement) { row in
                guard let row else { return .refused(.internalError) }
                return switch try row.value(0, as: LinkAsking.self) {
                case .asked: .linkAsked(pending)
                case .factsChanged: .factsChanged
                }
            }
        }
    }

    /// The identity of a pending link flow; nil for an expired one.
    func linkFlow(_ flow: UUID, client: String) async throws -> LinkFlowState? {
        let statement: SQL = """
            select state::text from flows
             where id = \(flow) and kind = 'link_account' and client_id = \(client) and expires_at > now()
            """
        return try await pool.queryOne(statement) { row in
            try row.flatMap { LinkFlowState(try JSON(parsing: try $0.value(0, as: String.self))) }
        }
    }

    /// Charges a failed request to a provider.
    ///
    /// - Returns: the wait of each network before its next request, in seconds.
    func charge(_ price: [Throttle]) async throws -> [Double] {
        try await pool.withConnection { connection in
            _ = try connection.queryOne("select take_from_throttles(\(price))")
            return try connection.query(
                """
                select wait_for_throttles(array[one.bucket], array[one.burst], array[one.period])
                  from unnest(\(price)) with ordinality one (bucket, burst, period, place) order by one.place
                """
            ).map { try $0.value(0) }
        }
    }

    /// Charges a claim on an address that the provider does not prove.
    ///
    /// - Returns: whether the budget had room, and the accounts that a sign-in by one of these methods can prove.
    func chargeClaim(
        _ accounts: [UUID], ways: [String], _ price: [Throttle]
    ) async throws -> (isWithinBudget: Bool, provable: Set<UUID>) {
        try await pool.withConnection { connection in
            let row = try connection.queryOne(
                "select wait, provable from charge_address_claim(\(accounts), \(ways), \(price))")
            guard let row else { throw Rejection.internalError }
            return (try row.value(0, as: Double.self) <= 0, Set(try row.value(1, as: [UUID].self)))
        }
    }

    /// Spends single-use things; false where one of them was spent before.
    func spend(_ spending: [Spending]) async throws -> Bool {
        try await pool.spending(spending, refused: { _ in false }) {
            try await pool.queryOne("select spend(\(spending))") { _ in true }
        }
    }

    /// Whether a single-use thing was spent.
    func isSpent(_ spending: Spending) async throws -> Bool {
        try await pool.queryOne("select is_spent(\([spending]))") { row in
            try row?.value(0) ?? false
        }
    }

    // MARK: Reading answers

    private static func lookUp(
        _ row: Row, _ identity: VerifiedIdentity, _ new: AccountToMake?
    ) throws -> SignInMachine.Event {
        switch try row.outcome(0, SignInWord.self, RefusalWord.self) {
        case .own(.signedIn):
            guard let new, try row.value(2, as: UUID.self) == new.identity else {
                return .signedIn(try person(row, identity), isNew: false)
            }
            return .signedIn(new.person(identity, createdAt: try row.value(6)), isNew: true)
        case .own(.factsChanged): return .factsChanged
        case .own(.nextStep): return .stepDue
        case .own(.unknownIdentity): return .unknown(holders: try holders(try row.value(7, as: String?.self)))
        case .refused(let word): return .refused(Rejection(word))
        }
    }

    private static func person(_ row: Row, _ identity: VerifiedIdentity) throws -> Person {
        Person(
            account: try AccountSummary(try row.value(1), row, from: 3),
            identity: IdentitySummary(id: try row.value(2), provider: identity.provider, subject: identity.subject))
    }

    private static func holders(_ text: String?) throws -> [LinkingPolicy.Holder] {
        guard let text else { return [] }
        return (try JSON(parsing: text).array ?? []).compactMap { holder in
            guard let account = holder["account"]?.string.flatMap(UUID.init(text:)), let proved = holder["proved"]?.bool
            else { return nil }
            return LinkingPolicy.Holder(account: account, proved: proved, active: holder["status"]?.string == "active")
        }
    }

    private static func change(
        _ row: Row, _ done: () throws -> SignInMachine.Event
    ) throws -> SignInMachine.Event {
        switch try row.outcome(0, IdentityChange.self, RefusalWord.self) {
        case .own(.signedIn): try done()
        case .own(.nextStep): .stepDue
        case .own(.factsChanged): .factsChanged
        case .refused(let word): .refused(Rejection(word))
        }
    }
}

/// The outcomes of `sign_in`.
enum SignInWord: String, OutcomeWord {
    static let functions = ["sign_in"]

    case signedIn = "signed_in"
    case nextStep = "next_step"
    case factsChanged = "facts_changed"
    case unknownIdentity = "unknown_identity"
}

/// The outcomes of `sign_in_new_account` and `sign_in_linking`.
enum IdentityChange: String, OutcomeWord {
    static let functions = ["sign_in_linking", "sign_in_new_account"]

    case signedIn = "signed_in"
    case nextStep = "next_step"
    case factsChanged = "facts_changed"
}

/// The outcomes of `open_link_flow`.
enum LinkAsking: String, OutcomeWord {
    static let functions = ["open_link_flow"]

    case asked
    case factsChanged = "facts_changed"
}
