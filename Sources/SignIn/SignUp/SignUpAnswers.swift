import Clients
import Foundation
import JSON
import Messages
import Postgres
import Sessions
import Vocabulary

/// The two messages of a sign-up: the code, or the notice that an account exists.
struct SignUpMessages: Sendable {
    let code: OutgoingMessage
    /// Nil for a phone number: the notice does not justify the cost of a text message.
    let accountExists: OutgoingMessage?
}

/// The data of a pending sign-up that a call needs.
struct WaitingSignUp: Sendable {
    let contact: Destination
    var hasPassword: Bool
    let demand: SignUpDemand
    /// By the names of the account.
    var attributes: JSONObject
    /// Whether the code was answered, and data is missing.
    let isProved: Bool

    /// Nil for an ended or expired one.
    static func load(_ flow: UUID, _ connection: Connection) throws -> WaitingSignUp? {
        let row = try connection.queryOne(
            """
            select address_key, coalesce(state->>'email', state->>'address'), state ? 'password',
                   coalesce(state->>'asks_later', 'nothing'), coalesce(state->'attributes', '{}')::text, proved
              from flows where id = \(flow) and kind = 'sign_up' and expires_at > now()
            """)
        guard let row else { return nil }
        let key: String = try row.value(0)
        let email = try row.value(1, as: String?.self).flatMap(EmailAddress.init)
        let contact =
            if let email, email.key == key { Destination.email(email) } else { PhoneNumber(key).map(Destination.phone) }
        guard let contact else { return nil }
        return WaitingSignUp(
            contact: contact, hasPassword: try row.value(2),
            demand: SignUpDemand(rawValue: try row.value(3)) ?? .nothing,
            attributes: try JSON(parsing: try row.value(4, as: String.self)).object ?? [:], isProved: try row.value(5))
    }

    /// The data that it lacks; nil if nothing is missing.
    func lack(_ client: Client) -> SignUpLack? {
        SignUpLack(
            demand, of: contact, hasPassword: hasPassword,
            attributes: Set(client.knownAttributes.shown(attributes).members.map(\.name)),
            client)
    }
}

/// The outcome of a confirmation (`passwords/confirm_sign_up.sql`).
enum Confirmation: Sendable {
    case signedIn(AccountSummary)
    /// The account exists, but a further step is due before the session.
    case further
    /// The code is right, and data is missing.
    case proved
    /// The account exists, without a password and without a session.
    case resetRequired
    case refused(Rejection)

    /// - Parameters:
    ///   - flow: its id becomes the account's.
    ///   - isNamed: see ``FlowCall/isNamed``.
    static func perform(
        _ flow: UUID, _ digest: [UInt8], _ waiting: WaitingSignUp, asks: Bool, isNamed: Bool, _ session: SessionRequest,
        _ asking: [Throttle], _ connection: Connection
    ) throws -> Confirmation {
        let row = try connection.row(
            """
            select outcome, tries_left, wait, display_name, email, account_created
              from confirm_sign_up(\(flow), \(digest), \(FlowLimits.signUp), \(flow), \(asks), \(isNamed), \(session),
                                   \(gate: session), \(asking))
            """)
        switch try row.outcome(0, SignUpConfirmation.self, RefusalWord.self) {
        case .own(.signedIn): return .signedIn(try waiting.account(flow, row, from: 3))
        case .own(.nextStep): return .further
        case .own(.proved): return .proved
        case .own(.resetRequired): return .resetRequired
        case .own(.codeWrong): return .refused(.codeWrong(triesLeft: try row.value(1)))
        case .own(.wait): return .refused(.throttled(retryAfter: try row.wholeSeconds(2)))
        case .refused(let word): return .refused(Rejection(word))
        }
    }

    /// Adds the missing data (`sign_up/complete_sign_up.sql`).
    static func complete(
        _ flow: UUID, _ added: JSONObject, _ waiting: WaitingSignUp, asks: Bool, _ session: SessionRequest,
        _ connection: Connection
    ) throws -> Confirmation {
        let row = try connection.row(
            """
            select outcome, display_name, email, account_created
              from complete_sign_up(\(flow), \(JSONText(JSON.object(added).text)), \(asks), \(session),
                                    \(gate: session))
            """)
        return switch try row.outcome(0, SignUpCompletion.self, RefusalWord.self) {
        case .own(.signedIn): .signedIn(try waiting.account(flow, row, from: 1))
        case .own(.nextStep): .further
        case .own(.proved): .proved
        case .refused(let word): .refused(Rejection(word))
        }
    }
}

extension WaitingSignUp {
    /// The account that was made: display name, address and time from a column on.
    fileprivate func account(_ id: UUID, _ row: Row, from column: Int) throws -> AccountSummary {
        let email: String? = try row.value(column + 1)
        return AccountSummary(
            id: id, displayName: try row.value(column), email: email,
            emailVerified: email != nil && contact.medium == .email, createdAt: try row.value(column + 2))
    }
}

/// The outcome of a request for another code.
enum Renewal: Sendable {
    /// `known`: the address has an account, so the notice is due instead.
    case renewed(known: Bool)
    case refused(Rejection)

    static func perform(
        _ flow: UUID, _ digest: [UInt8], _ caller: Caller, _ messages: SignUpMessages, _ price: [Throttle],
        _ connection: Connection
    ) throws -> Renewal {
        let row = try connection.row(
            """
            select outcome, wait
              from renew_sign_up_code(\(flow), \(digest), \(Int32(SignUpService.resendWait)), \(Int32(SignUpService.mostResends)),
                                      \(caller.address), \(caller.requestID),
                                      \(outgoing: messages.code), \(outgoing: messages.accountExists), \(price))
            """)
        return switch try row.outcome(0, SignUpRenewal.self, RefusalWord.self) {
        case .own(.sent): .renewed(known: false)
        case .own(.known): .renewed(known: true)
        case .own(.wait): .refused(.resendTooSoon(retryAfter: try row.wholeSeconds(1)))
        case .own(.throttled): .refused(.throttled(retryAfter: try row.wholeSeconds(1)))
        case .refused(let word): .refused(Rejection(word))
        }
    }

    var rejection: Rejection {
        if case .refused(let rejection) = self { rejection } else { .internalError }
    }
}
