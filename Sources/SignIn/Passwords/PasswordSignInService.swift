import Accounts
import Clients
import Cryptography
import Foundation
import Logging
import Postgres
import Sessions
import Vocabulary

/// Signs users in with a name and a password.
///
/// A wrong password, an unknown name and a disabled account each cost one statement and one hash, with equal answers.
/// A pending sign-up with the name makes that two hashes. So the author of that sign-up does not learn whether an
/// account has the name.
///
/// Each attempt is charged before the check, once it has a hashing place. A request refused with 503 costs nothing. The
/// right password gets a refund if more than half of a budget is used. The network gets none, because its budget limits
/// our hashing for it. A known device, and a network of an earlier session, have budgets of their own.
package final class PasswordSignInService: Sendable {
    private let shared: FlowServices
    private let steps: FlowService
    private let resets: NameSignInService
    private let signUps: SignUpService
    private let migration: PasswordMigration?
    private var pool: ConnectionPool { shared.pool }
    private var hasher: PasswordHasher { shared.tools.hasher }
    private var throttles: Throttles { shared.throttles }
    private var devices: KnownDevices { shared.devices }
    private var flows: FlowTokens { shared.tokens }
    private var starter: SessionStarter { shared.starter }
    private var names: SRPNames? { shared.tools.names }
    private var logger: Logger { shared.logger }

    /// The provider id of this sign-in method.
    package static let provider = "password"

    /// - Parameter migration: nil where no provider's passwords are taken over.
    package init(
        _ shared: FlowServices, steps: FlowService, resets: NameSignInService, signUps: SignUpService,
        migration: PasswordMigration?
    ) {
        (self.shared, self.steps, self.resets) = (shared, steps, resets)
        (self.signUps, self.migration) = (signUps, migration)
    }

    func signIn(name: String, password: String, _ request: SignInRequest) async throws(Rejection) -> SignInOutcome {
        try request.client.require(provider: Self.provider)
        let typed = try TypedPassword(name: name, password: password)
        let linkFlow = try request.linkFlowID(flows)
        let place = try await rejecting(logger) { try await hasher.place(for: request.caller.network) }
        defer { place.leave() }
        var attempt = Attempt(
            typed: typed, mark: devices.presented(request.device.token, for: typed.throttleKey), linkFlow: linkFlow,
            request: request, srp: try await names?.user(typed.name, in: request.client.srpRealm), place: place)
        let name = try await begin(charges: true, attempt)
        attempt.price = price(name, attempt)
        if !name.isKnownDevice { attempt.mark = nil }
        do throws(Rejection) {
            return try await enterOnceMore(name, attempt)
        } catch {
            // A wrong password never reaches this statement, so this is the right user.
            if case .databaseUnavailable = error { await giveBack(attempt) }
            throw error
        }
    }

    private func enterOnceMore(_ name: NameHolders, _ attempt: Attempt) async throws(Rejection) -> SignInOutcome {
        if let outcome = try await enter(name, attempt) { return outcome }
        // The password was right when it was read. The current one decides, once and without a further charge. Most
        // likely a parallel sign-in by the same user re-encoded the hash.
        guard let outcome = try await enter(try await begin(charges: false, attempt), attempt) else {
            throw .invalidCredentials()
        }
        return outcome
    }

    /// Refunds an attempt that failed on a database error, except the network's charge, as after a right password.
    private func giveBack(_ attempt: Attempt) async {
        let price = attempt.price
        _ = try? await pool.execute(
            "select give_back_to_throttles(\(price.map(\.bucket)), \(price.map(\.periodMilliseconds)))")
    }

    /// One password attempt in progress.
    private struct Attempt: Sendable {
        let typed: TypedPassword
        /// The device mark that the caller presents; after the database query, only a known one.
        var mark: KnownDevices.Mark?
        /// The charges that a right password refunds.
        var price: [Throttle] = []
        let linkFlow: UUID?
        let request: SignInRequest
        /// The user of SRP for the name; nil where no protocol needs one.
        let srp: SRPUser?
        /// The place in the hashing queue, released before any wait for mail servers and providers.
        let place: HashingPlace
    }

    private func strangersPrice(_ attempt: Attempt) -> [Throttle] {
        throttles.passwordAttempt(name: attempt.typed.throttleKey, client: attempt.request.client.id)
            + throttles.passedOn(by: attempt.request.caller)
    }

    private func price(_ name: NameHolders, _ attempt: Attempt) -> [Throttle] {
        let own = name.bucket.map { [throttles.password(bucket: $0)] } ?? []
        return name.isKnown ? own : own + strangersPrice(attempt)
    }

    /// Nil if the password was right but has changed since it was read.
    private func enter(_ name: NameHolders, _ attempt: Attempt) async throws(Rejection) -> SignInOutcome? {
        do throws(Rejection) {
            return try await enter(name.holder, attempt)
        } catch {
            guard case .invalidCredentials = error, let signUp = name.signUp else { throw error }
            _ = try await check(attempt, signUp.hash, of: error.account)
            attempt.place.leave()
            let request = attempt.request
            return .nextStep(try await signUps.remind(signUp.flow, client: request.client, caller: request.caller))
        }
    }

    private func enter(_ holder: Holder, _ attempt: Attempt) async throws(Rejection) -> SignInOutcome? {
        let (typed, request) = (attempt.typed, attempt.request)
        switch holder {
        case .account(let found):
            let missing = try await check(attempt, found.hash, of: found.account, renews: found)
            guard found.isActive else { throw .invalidCredentials(account: found.account) }
            return try await finish(found, missing, attempt)
        case .resetDue(let account, let hash?):
            // Only a caller with the former password learns that there is an account to reset.
            _ = try await check(attempt, hash, of: account)
            attempt.place.leave()
            return .nextStep(try await resets.beginReset(typed.text, request, isAsked: false))
        case .resetDue(_, nil):
            try await rejecting(logger) { try await hasher.verifyNothing(typed.password, in: attempt.place) }
            attempt.place.leave()
            return .nextStep(try await resets.beginReset(typed.text, request, isAsked: false))
        case .spent:
            try await rejecting(logger) { try await hasher.verifyNothing(typed.password, in: attempt.place) }
            throw .invalidCredentials()
        case .nobody:
            if let migration {
                return try await migration.signIn(
                    typed.text, password: String(decoding: typed.rawPassword, as: UTF8.self), typed.password, request,
                    in: attempt.place)
            }
            try await rejecting(logger) { try await hasher.verifyNothing(typed.password, in: attempt.place) }
            throw .invalidCredentials()
        }
    }

    private struct Found: Sendable {
        let account: UUID
        let isActive: Bool
        let hash: String
        /// Whether the name has its SRP verifier, or needs none.
        let hasSRP: Bool
    }

    /// The account with a name, and any sign-up with that name that waits for its code.
    private struct NameHolders: Sendable {
        let holder: Holder
        let signUp: (flow: UUID, hash: String)?
        /// The place that the account knows the attempt from; nil for a stranger's.
        let place: String?
        /// The account's bucket that the attempt took from.
        let bucket: [UInt8]?

        var isKnown: Bool { place != nil }
        var isKnownDevice: Bool { place == "device" }

        init(_ row: Row) throws {
            holder = try PasswordSignInService.holder(row)
            (place, bucket) = (try row.value(7), try row.value(8))
            signUp =
                if let flow: UUID = try row.value(5), let hash: String = try row.value(6) { (flow, hash) } else { nil }
        }
    }

    /// The account for which a name asks a password.
    private enum Holder: Sendable {
        case account(Found)
        /// An account without a working password until its holder sets one: reset by an operator, or (nil) imported
        /// without.
        case resetDue(UUID, hash: String?)
        /// Strangers have used up the account's budget, maybe by another name: every password is wrong.
        case spent
        case nobody
    }

    /// - Parameter charges: whether the attempt is charged; the second look at a password is not.
    private func begin(charges: Bool, _ attempt: Attempt) async throws(Rejection) -> NameHolders {
        let (name, request) = (attempt.typed.name, attempt.request)
        let price = charges ? strangersPrice(attempt) : []
        let networks = charges ? throttles.start(address: request.caller.address) : []
        let own = charges ? throttles.password(bucket: []) : nil
        let mark = attempt.mark?.digest ?? request.device.confirmed.map(DeviceSecret.digest)
        let seal = names?.box.header
        return try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.row(
                    """
                    select wait, account_id, status, password_state, hash, sign_up, sign_up_hash, place, bucket, spent, has_srp
                      from begin_password_sign_in(\(name?.kind.rawValue ?? ""), \(name?.key ?? ""), \(request.client.id), \(price),
                                                  \(networks), \(own?.burst), \(own?.periodMilliseconds), \(mark),
                                                  \(request.caller.address), \(attempt.srp?.id), \(request.client.srpRealm), \(seal))
                    """)
                let wait: Double = try row.value(0)
                guard wait <= 0 else { throw Rejection.throttled(retryAfter: Int(wait.rounded(.up))) }
                return try NameHolders(row)
            }
        }
    }

    private static func holder(_ row: Row) throws -> Holder {
        if try row.value(9, as: Bool.self) { return .spent }
        let hash: String? = try row.value(4)
        guard let account = try row.value(1, as: UUID?.self) else { return .nobody }
        let isActive = try row.value(2, as: String.self) == "active"
        if isActive, try row.value(3, as: String.self) == AccountFactors.PasswordState.resetRequired.rawValue {
            return .resetDue(account, hash: hash)
        }
        let hasSRP: Bool = try row.value(10)
        return hash.map { .account(Found(account: account, isActive: isActive, hash: $0, hasSRP: hasSRP)) } ?? .nobody
    }

    /// Returns the verifiers to store if one is missing or outdated: a sign-in with the password can make them.
    ///
    /// It always computes one hash, and these in addition.
    ///
    /// - Parameter found: the account with the password; nil for a password that gets no new verifiers.
    private func check(
        _ attempt: Attempt, _ hash: String, of account: UUID?, renews found: Found? = nil
    ) async throws(Rejection) -> PasswordVerifiers? {
        let (typed, place, realm) = (attempt.typed, attempt.place, attempt.request.client.srpRealm)
        return try await rejecting(logger) {
            let match = try await hasher.verify(typed.password, typed: typed.rawPassword, against: hash, in: place)
            guard match != .no else { throw Rejection.invalidCredentials(account: account) }
            guard let found, found.isActive else { return nil }
            guard match == .yesNeedsRehash || !found.hasSRP else { return nil }
            let order = try await names?.order(
                for: found.account, in: found.hasSRP ? nil : realm, names: [typed.name].compactMap(\.self))
            let password = String(decoding: typed.rawPassword, as: UTF8.self)
            guard match == .yesNeedsRehash else {
                return PasswordVerifiers(
                    hash: hash, srp: try await hasher.srpVerifiers(of: password, order, in: place))
            }
            return try await hasher.verifiers(of: password, srp: order, in: place)
        }
    }

    /// Nil if it has changed in the meantime.
    private func finish(
        _ found: Found, _ missing: PasswordVerifiers?, _ attempt: Attempt
    ) async throws(Rejection) -> SignInOutcome? {
        let (price, request) = (attempt.price, attempt.request)
        let device = attempt.mark ?? devices.new(for: attempt.typed.throttleKey)
        let session = try starter.request(
            for: request, provider: Self.provider, proofs: Proofs([Proof(.password)]), name: attempt.typed.text,
            device: device)
        let (outcome, account): (PasswordSignIn, AccountSummary?) = try await rejecting(logger) {
            try await pool.withConnection { connection in
                let row = try connection.row(
                    """
                    select outcome, display_name, email, email_proved, account_created
                      from finish_password_sign_in(\(found.account), \(found.hash), \(missing), \(price),
                                                   \(attempt.linkFlow), \(session), \(gate: session))
                    """)
                let outcome: PasswordSignIn = try row.answer()
                return (outcome, outcome == .signedIn ? try AccountSummary(found.account, row, from: 1) : nil)
            }
        }
        if outcome == .changed { return nil }
        attempt.place.leave()
        guard let account else { return try await steps.goOn(session.id, request) }
        return .signedIn(
            try await starter.signedIn(
                session, account: account, identity: nil, isNew: false, deviceToken: device.token))
    }
}

/// The outcomes of `finish_password_sign_in`.
enum PasswordSignIn: String, OutcomeWord {
    static let functions = ["finish_password_sign_in"]

    case signedIn = "signed_in"
    case nextStep = "next_step"
    /// The password changed since it was read.
    case changed
}
