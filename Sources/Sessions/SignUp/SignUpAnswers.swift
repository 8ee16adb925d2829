import Accounts
import Foundation
import JSON
import Postgres

/// The two messages of a sign-up: the code, or the notice that an account exists.
struct SignUpMessages: Sendable {
    let code: OutgoingMessage
    /// Nil for a phone number: the notice does not justify the cost of a text message.
    let accountExists: OutgoingMessage?
}

/// The data of a pending sign-up that a call needs.
struct WaitingSignUp: Sendable {
    let contact: Destination
    let hasPassword: Bool

    /// Nil for an ended or expired one.
    static func load(_ flow: UUID, _ connection: Connection) throws -> WaitingSignUp? {
        let row = try connection.queryOne(
            """
            select address_key, coalesce(state->>'email', state->>'address'), state ? 'password'
              from flows where id = \(flow) and kind = 'sign_up' and expires_at > now()
            """)
        guard let row else { return nil }
        let key: String = try row.value(0)
        let email = try row.value(1, as: String?.self).flatMap(EmailAddress.init)
        let contact =
            if let email, email.key == key { Destination.email(email) } else { PhoneNumber(key).map(Destination.phone) }
        return contact.map { WaitingSignUp(contact: $0, hasPassword: (try? row.value(2)) ?? false) }
    }
}

/// The outcome of a confirmation (`passwords/confirm_sign_up.sql`).
enum Confirmation: Sendable {
    case signedIn(AccountSummary)
    /// The account exists, but a further step is due before the session.
    case further
    case refused(Rejection)

    static func perform(
        _ flow: UUID, _ digest: [UInt8], _ waiting: WaitingSignUp, _ account: UUID, _ session: SessionRequest,
        _ asking: [Throttle], _ connection: Connection
    ) throws -> Confirmation {
        let row = try connection.row(
            """
            \(handingOver: session)select outcome, tries_left, wait, display_name, email, account_created
              from confirm_sign_up(\(flow), \(digest), \(FlowLimits.signUp), \(account), \(session),
                                   \(gate: session), \(asking))\(handedOver: session)
            """)
        switch try row.outcome(0, SignUpConfirmation.self, RefusalWord.self) {
        case .own(.signedIn):
            let email: String? = try row.value(4)
            return .signedIn(
                AccountSummary(
                    id: account, displayName: try row.value(3), email: email,
                    emailVerified: email != nil && waiting.contact.medium == .email, createdAt: try row.value(5)))
        case .own(.nextStep): return .further
        case .own(.codeWrong): return .refused(.codeWrong(triesLeft: try row.value(1)))
        case .own(.wait): return .refused(.throttled(retryAfter: try row.wholeSeconds(2)))
        case .refused(let word): return .refused(Rejection(word))
        }
    }

    var rejection: Rejection {
        if case .refused(let rejection) = self { rejection } else { .internalError }
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
