import Accounts
import Foundation
import Postgres

/// The two mails of a sign-up: the code, or word that there is an account already.
struct SignUpMails: Sendable {
    let code: OutgoingMessage
    let accountExists: OutgoingMessage
}

/// What a confirmation of a sign-up came to (`0011_passwords.sql`).
enum Confirmation: Sendable {
    case signedIn(AccountSummary)
    /// The account is made, and something more is due before there is a session.
    case further
    case refused(Rejection)

    static func perform(
        _ flow: UUID, _ digest: [UInt8], mostTries: Int, _ account: UUID, _ session: SessionRequest,
        _ connection: Connection
    ) throws -> Confirmation {
        let row = try connection.queryOne(
            """
            \(handingOver: session)select outcome, tries_left, wait, display_name, email, account_created
              from confirm_sign_up(\(flow), \(digest), \(Int32(mostTries)), \(account), \(session),
                                   \(gate: session))\(handedOver: session)
            """)
        guard let row else { return .refused(.internalError) }
        switch try row.value(0, as: String.self) {
        case "signed_in":
            return .signedIn(
                AccountSummary(
                    id: account, displayName: try row.value(3), email: try row.value(4), emailVerified: true,
                    createdAt: try row.value(5)))
        case "next_step": return .further
        case "user_name_taken": return .refused(.userNameTaken)
        case "code_wrong": return .refused(.codeWrong(triesLeft: try row.value(1)))
        case "too_many_tries": return .refused(.tooManyTries)
        case "wait": return .refused(.throttled(retryAfter: Int(try row.value(2, as: Double.self).rounded(.up))))
        default: return .refused(.flowExpired)
        }
    }

    var rejection: Rejection {
        if case .refused(let rejection) = self { rejection } else { .internalError }
    }
}

/// What asking for another code came to.
enum Renewal: Sendable {
    /// `known`: the address has an account, so the other mail is due.
    case renewed(known: Bool)
    case refused(Rejection)

    static func perform(
        _ flow: UUID, _ digest: [UInt8], _ caller: Caller, _ mails: SignUpMails, _ connection: Connection
    ) throws -> Renewal {
        let row = try connection.queryOne(
            """
            select outcome, wait
              from renew_sign_up_code(\(flow), \(digest), \(Int32(SignUpService.resendWait)), \(Int32(SignUpService.mostResends)),
                                      \(caller.address), \(caller.requestID),
                                      \(outgoing: mails.code), \(outgoing: mails.accountExists))
            """)
        guard let row else { return .refused(.internalError) }
        let outcome: String = try row.value(0)
        switch outcome {
        case "sent", "known": return .renewed(known: outcome == "known")
        case "wait": return .refused(.resendTooSoon(retryAfter: Int(try row.value(1, as: Double.self).rounded(.up))))
        case "too_many_resends": return .refused(.tooManyResends)
        default: return .refused(.flowExpired)
        }
    }

    var rejection: Rejection {
        if case .refused(let rejection) = self { rejection } else { .internalError }
    }
}
