import Foundation
import Testing

@testable import Postgres

/// The rules that let a future partitioned database run the hot functions next to their rows.
///
/// The first argument names the owner of the rows, no function notifies, and no lock outlives the transaction. Each
/// exception has its reason here.
@Suite("The functions of the request path")
struct HotFunctionTests {
    /// The way in which a hot function finds its rows.
    private enum Key: Equatable {
        /// The first argument is the account.
        case account
        /// The first arguments are the identity's provider, realm and subject.
        case identity
        /// Neither, for this reason.
        case other(String)
    }

    /// Every function that a sign-in, a sign-up, a refresh, a session check or a handover calls.
    private static let hot: [String: Key] = [
        "account_factors": .account,
        "begin_password_change": .account,
        "begin_step_up": .account,
        "end_session": .account,
        "finish_password_sign_in": .account,
        "is_known_device": .account,
        "keep_migrated_password": .account,
        "sign_in_names": .account,
        "open_link_flow": .account,
        "sign_in": .identity,
        "fill_attributes": .identity,
        "sign_in_as_guest": .account,
        "sign_in_linking": .account,
        "sign_in_new_account": .account,
        "sign_in_with_passkey": .account,
        "sign_up_at_once": .account,

        "rotate_refresh_token": .other("a refresh token names its session; an older one could not name the account"),
        "set_session_claims": .other("the claims of one session, whose row has the account"),
        "redeem_handover_code": .other("a code is found by its digest, and names neither session nor account"),

        "account_by_name": .other("it finds the account of a name"),
        "account_to_sign_in": .other("it finds the account of a name"),
        "begin_password_sign_in": .other("a name is looked up, and answers the same without an account"),
        "begin_code_flow": .other("a name is looked up, and answers the same without an account"),
        "charge_address_claim": .other("several accounts that have one address, and buckets"),
        "adopt_transferred_identity": .other("the identity is found by its transfer subject; its key is what changes"),

        "answer_sign_in_flow": .other("a flow is found by its id, and may have no account"),
        "begin_provider_flow": .other("a flow of nobody, until the provider has answered"),
        "begin_sign_up_flow": .other("a flow without an account"),
        "complete_sign_up": .other("a flow is found by its id, and has no account yet"),
        "confirm_sign_up": .other("a flow is found by its id, and has no account yet"),
        "keep_flow_step": .other("a flow is found by its id, and may have no account"),
        "load_flow": .other("a flow is found by its id, and may have no account"),
        "open_flow_step": .other("a flow is found by its id, and may have no account"),
        "renew_sign_up_code": .other("a flow is found by its id, and has no account"),
        "resend_flow_code": .other("a flow is found by its id, and may have no account"),
        "charge_flow_answer": .other("a flow is found by its id, and may have no account"),

        "give_back_to_throttles": .other("buckets are networks, names and apps, not accounts"),
        "is_spent": .other("a digest of what may have no account"),
        "spend": .other("a digest of what may have no account"),
        "spent_position": .other("a digest of what may have no account"),
        "take_from_throttles": .other("buckets are networks, names and apps, not accounts"),
        "tell_once": .other("a mailbox without an account"),
        "wait_for_throttles": .other("buckets are networks, names and apps, not accounts"),
    ]

    /// Functions that the same files call for other purposes: changes of an account by the user or an operator.
    private static let others: Set = ["change_password", "revoke_sessions_batch", "sign_out_everywhere"]

    /// Hot functions, with the functions that they call, that notify.
    ///
    /// None notifies in a known sign-in, a new account or a refresh.
    private static let notifying: [String: String] = [
        "clear_unproved_numbers": "another account loses an unproved number",
        "end_account_sessions":
            "the sessions of an account end: another one proved its address, its password changed, or a guest's is upgraded",
        "end_session": "a session ends, also the one that a step-up replaces",
        "fill_attributes": "an account gets an attribute that a provider sent",
        "notify_account": "a notice to the person, such as of a new identity",
        "redeem_handover_code": "a code was used twice, and its session ends",
        "rotate_refresh_token": "the session ends after a theft, or its claims changed",
        "set_session_claims": "the claims of a session changed",
    ]

    /// The files with the statements of the request path.
    private static let folders = [
        "Claims", "Handover", "Passkeys", "Passwords", "Session", "SignIn", "SignUp", "Steps", "Stepwise", "Web",
    ]

    private static let names = Set(FunctionText.all.map(\.name))

    @Test("every function that a statement of the request path calls is in the list, and no other")
    func list() throws {
        var called: Set<String> = []
        for path in try Self.folders.flatMap({ try Pages.swiftFiles("Sources/Sessions/\($0)") }) {
            let code = try Pages.text(path).replacing(/\/\/[^\n]*/, with: "")
            called.formUnion(
                code.matches(of: /\b([a-z]+(?:_[a-z]+)*)\(/).map { String($0.output.1) }.filter(Self.names.contains))
        }
        #expect(called.subtracting(Self.hot.keys).subtracting(Self.others) == [], "hot, or something else?")
        #expect(Set(Self.hot.keys).union(Self.others).subtracting(called) == [], "nothing calls these")
    }

    @Test(
        "a hot function's first argument is the account or the identity's key, or an exception states why not",
        arguments: hot.keys.sorted())
    func firstArgument(name: String) throws {
        let parameters = try #require(FunctionText.byName[name]).parameters
        let key: Key? =
            if parameters.first == "p_account uuid" {
                .account
            } else if parameters.prefix(3) == ["p_provider text", "p_realm text", "p_subject text"] { .identity } else {
                nil
            }
        switch Self.hot[name] {
        case .other(let reason): #expect(key == nil && !reason.isEmpty, "no exception any more")
        case let wanted: #expect(key == wanted, "\(parameters.first ?? "no argument")")
        }
    }

    /// The hot functions and all functions that they call, including triggers.
    private static let reached: Set<String> = {
        var reached: Set<String> = []
        var next = Set(hot.keys)
        while !next.isEmpty {
            reached.formUnion(next)
            let calls = next.compactMap { FunctionText.byName[$0] }.flatMap { LockScan($0, locking: names).taken }
            next = Set(calls.filter { $0.kind == .function }.map(\.name)).subtracting(reached)
        }
        return reached
    }()

    @Test("functions on the request path notify only in the listed cases")
    func notifications() {
        #expect(Self.reached.count > 80)
        #expect(
            Self.reached.isSuperset(of: ["spend", "make_session", "cancel_factor_removal", "forget_address_changes"]))
        let notifying = Self.reached.filter {
            FunctionText.byName[$0]?.tokens.contains { $0 == "pg_notify" || $0 == "notify" } == true
        }
        #expect(notifying == Set(Self.notifying.keys))
    }

    @Test("no advisory lock outlives its transaction")
    func advisoryLocks() throws {
        let held = /pg_(?:try_)?advisory_(?:lock|unlock)/.ignoresCase()
        #expect(FunctionText.all.filter { $0.body.contains(held) }.map(\.path) == [])
        #expect(try Pages.swiftFiles("Sources").filter { try Pages.text($0).contains(held) } == [])
        #expect("select pg_try_advisory_lock_shared(1)".contains(held))
    }
}
