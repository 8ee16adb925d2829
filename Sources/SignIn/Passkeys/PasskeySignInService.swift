import Accounts
import Clients
package import Cryptography
import Foundation
import JSON
import Postgres
import Providers
import Sessions
import Vocabulary
import WebAuthn

/// Signs users in with a passkey alone; the passkey identifies the account.
///
/// A challenge needs no row: it derives from the flow's id, which contains the time. The statement that makes the
/// session spends it, so pages may request a new one on each view.
package final class PasskeySignInService: Sendable {
    /// The provider id of this sign-in method.
    package static let provider = "passkey"
    /// The lifetime of a challenge, in seconds.
    static let life = 300

    private let shared: FlowServices
    private let steps: FlowService
    private let key: [[UInt8]]

    package init(_ shared: FlowServices, steps: FlowService, keys: MasterKeys) {
        (self.shared, self.steps, key) = (shared, steps, keys.derivedAll("passkey challenge"))
    }

    package var isConfigured: Bool { shared.tools.relyingParty != nil }

    func begin(client: Client) throws(Rejection) -> PendingStep {
        try client.require(provider: Self.provider)
        let relyingParty = try shared.tools.usableRelyingParty
        let flow = shared.starter.newID()
        let options = RequestOptions(challenge: try challenge(flow, key[0])).options(for: relyingParty)
        return PendingStep(
            flow: shared.tokens.text(FlowReference(flow, .passkey, client: client.id)), expiresIn: Self.life,
            step: .passkey(options, StepOptions()))
    }

    func finish(_ response: StepResponse, _ opened: OpenedFlow) async throws(Rejection) -> SignInOutcome {
        let flow = opened.id
        guard age(of: flow) < Double(Self.life) else { throw .flowExpired }
        let answer = try response.answer.passkeyAssertion()
        guard let (account, passkey) = try await passkey(answer.credentialID) else {
            throw .passkeyRefused(.credentialNotAllowed)
        }
        let right = try verified(passkey, answer, flow)
        return try await signIn(account, right, spending: flow, opened.request)
    }

    private func age(of flow: UUID) -> TimeInterval {
        let milliseconds = flow.bytes[..<6].reduce(0) { $0 << 8 | Int($1) }
        let age = shared.tools.now().timeIntervalSince1970 - Double(milliseconds) / 1_000
        return age < -60 ? .infinity : age
    }

    private func challenge(_ flow: UUID, _ key: [UInt8]) throws(Rejection) -> Challenge {
        guard let challenge = Challenge(HMACSHA256.code(flow.bytes, key: key)) else { throw .internalError }
        return challenge
    }

    /// An older master key may have derived the challenge.
    private func verified(
        _ passkey: AccountFactors.Passkey, _ answer: AuthenticationResponse, _ flow: UUID
    ) throws(Rejection) -> Right {
        let relyingParty = try shared.tools.usableRelyingParty
        var refusal = Rejection.internalError
        for key in key {
            do throws(Rejection) {
                return try passkey.verified(answer, challenge(flow, key), relyingParty, isAccountKnown: false)
            } catch {
                guard error == .passkeyRefused(.challengeMismatch) else { throw error }
                refusal = error
            }
        }
        throw refusal
    }

    private func passkey(_ credential: [UInt8]) async throws(Rejection) -> (UUID, AccountFactors.Passkey)? {
        try await rejecting(shared.logger) {
            try await shared.pool.withConnection { connection in
                let row = try connection.queryOne(
                    """
                    select k.account_id, k.id, (select f from jsonb_array_elements(account_factors(k.account_id)->'passkeys') f
                                                 where f->>'id' = k.id::text)::text
                      from passkeys k join accounts a on a.id = k.account_id and a.status = 'active'
                     where k.credential_id = \(credential)
                    """)
                guard let row,
                    let passkey = AccountFactors.Passkey(try JSON(parsing: try row.value(2, as: String.self)))
                else { return nil }
                return (try row.value(0), passkey)
            }
        }
    }

    private func signIn(
        _ account: UUID, _ right: Right, spending flow: UUID, _ request: SignInRequest
    ) async throws(Rejection) -> SignInOutcome {
        let session = try shared.starter.request(
            for: request, provider: Self.provider, proofs: Proofs().adding(right.proof))
        let effects = JSONText(JSON.array(right.effects.map(\.json)).text)
        let challenge = Spending(
            kind: .credential, digest: SHA256.hash(Array("passkey challenge".utf8) + flow.bytes),
            end: .counted(shared.tools.now().addingTimeInterval(TimeInterval(Self.life + 60))))
        let statement: SQL = """
            select outcome, display_name, email, email_proved, account_created
              from sign_in_with_passkey(\(account), \(effects), \([challenge]), \(session), \(gate: session))
            """
        let pool = shared.pool
        let signedIn = try await rejecting(shared.logger) {
            // An answered challenge has expired.
            try await pool.spending(
                [challenge], refused: { _ in Result<AccountSummary?, Rejection>.failure(.flowExpired) }
            ) {
                try await pool.withConnection { .success(try Self.summary(account, try $0.row(statement))) }
            }
        }
        guard let summary = try signedIn.get() else { return try await steps.goOn(session.id, request) }
        return .signedIn(
            try await shared.starter.signedIn(
                session, account: summary, identity: nil, isNew: false, deviceToken: nil))
    }

    /// The signed-in account; nil if a further step is due.
    private static func summary(_ account: UUID, _ row: Row) throws -> AccountSummary? {
        switch try row.answer(as: PasskeySignIn.self) {
        case .signedIn: try AccountSummary(account, row, from: 1)
        case .nextStep: nil
        case .codeWrong: throw Rejection.passkeyRefused(.counterWentBack)
        }
    }
}

/// The outcomes of `sign_in_with_passkey`.
enum PasskeySignIn: String, OutcomeWord {
    static let functions = ["sign_in_with_passkey"]

    case signedIn = "signed_in"
    case nextStep = "next_step"
    /// The passkey's counter advanced in the meantime.
    case codeWrong = "code_wrong"
}
