import HTTPServer
import Messages
import OperatorAccess
import Postgres
import Settings

/// Refusals in the words of the command line: the fault, and the command that helps.
enum CommandRefusal {
    /// The object of a command, for "not found" errors.
    enum Subject {
        case account, client, endpoint, message

        /// The objects that exist, for a suggestion.
        func known(_ pool: ConnectionPool) async -> [String] {
            switch self {
            case .account, .endpoint: []
            case .message: MessageTemplate.all.map(\.id)
            case .client:
                (try? await pool.query("select id from clients where origin = 'operator' order by id") {
                    try $0.value(0, as: String.self)
                }) ?? []
            }
        }

        /// - Parameter name: the typed name, followed by a suggestion; nil writes "such".
        fileprivate func missing(_ name: String?, _ hint: String) -> String {
            func sentence(_ noun: String, _ command: String) -> String {
                "There is no \(name.map { "\(noun) \($0)" } ?? "such \(noun)").\(hint) See: gateway \(command)"
            }
            return switch self {
            case .account:
                "The account has no such item, or its state doesn't allow this. Look at it with: gateway accounts show ACCOUNT"
            case .client: sentence("app", "clients list")
            case .message: sentence("message", "messages list")
            case .endpoint: sentence("endpoint", "events list")
            }
        }
    }

    /// - Parameters:
    ///   - name: the object, as it was typed.
    ///   - known: the objects that exist.
    static func sentence(
        _ refusal: AdminRefusal, _ subject: Subject, named name: String? = nil, known: [String] = []
    ) -> String {
        switch refusal {
        case .notFound: subject.missing(name, name.map { NearestWord.hint($0, among: known) } ?? "")
        case .invalidMember(let pointer, let reason, let accepted): fault(at: pointer, reason, accepted)
        case .nothingToChange: "Nothing has changed: it is already so."
        case .lastCredential: "This is the account's only sign-in method. Add another one first."
        case .identityInUse: "Another account has this identity. Find it with: gateway accounts search SUBJECT"
        case .accountDisabled: "Both accounts must be active. Run first: gateway accounts enable ACCOUNT"
        case .deletionWaits: "The account is to be deleted. Run first: gateway accounts cancel-deletion ACCOUNT"
        case .accountsChanged: "It has changed meanwhile. Look at it, and run the command again."
        case .undoOver: "It can't be undone any more: it was undone before, or its seven days are over."
        case .undoBlocked(let parts):
            "These parts have changed since: \(parts.joined(separator: ", ")). Undo the later change first."
        case .operatorAccount: "The account belongs to an operator. Run first: gateway admin withdraw ACCOUNT"
        case .lastOwner: "This is the last owner. Run first: gateway admin grant ACCOUNT --role owner"
        case .roleNeedsFactor:
            "The user has no independent second factor. The user adds one first, or you run the command with --anyway."
        case .changeNotSettled:
            "An operator's change of the account can still be undone. Undo it, wait seven days, or use --anyway."
        case .lastAdministrationClient:
            "No other enabled app has the permission administration. Give it to another app first."
        case .notAnOperator, .roleTooLow, .ownAccount, .sessionEnded, .stepUpRequired, .reauthRequired,
            .audienceNotAllowed, .accessKeyInvalid, .accessKeyExpired, .networkNotAllowed, .outOfReach,
            .idempotencyKeyReused, .idempotencyKeyBusy, .throttled:
            ErrorCatalogue[refusal.code].map { "\($0.title)." } ?? refusal.code
        }
    }

    /// The option and its fault, such as `--reason is too short`, with what the option accepts.
    private static func fault(at pointer: String, _ reason: String, _ accepted: [String]) -> String {
        // The form of a malformed value has words of its own.
        let choice =
            accepted.isEmpty || reason == "malformed" ? "" : " Accepted: \(accepted.joined(separator: ", "))."
        let parts = pointer.split(separator: "/").map(String.init)
        guard let member = parts.first else { return "The input is not valid: \(words(reason))." + choice }
        let place = parts.dropFirst().map { part in Int(part).map { "entry \($0 + 1)" } ?? part }
        let named = place.isEmpty ? "" : " (\(place.joined(separator: ", ")))"
        let form = reason == "malformed" ? forms[member].map { "is not valid: write \($0)" } : nil
        let option = options[member] ?? "--\(member.replacing("_", with: "-"))"
        return "\(option)\(named) \(form ?? words(reason)).\(choice)"
    }

    /// The options of members with another name.
    private static let options = [
        "id": "The id", "origins": "--origin", "redirect_uris": "--redirect-uri", "providers": "--provider",
        "audiences": "--audience", "accepted_audiences": "--accepted-audience", "sign_up_names": "--sign-up-name",
        "attributes": "--attribute", "texts": "--text", "disabled": "--enable-use or --disable-use",
        "to": "The target account", "kept": "The secret", "types": "--type", "client_id": "--client",
        "client": "The app", "networks": "--network", "expires_in_days": "--days",
    ]

    /// The forms of members, after "write".
    private static let forms = Dictionary(
        (ClientLists.lists + EndpointLists.lists).compactMap { list in list.form.map { (list.member, $0) } }
            + [("url", "https://HOST/PATH")]
    ) { first, _ in first }

    /// A reason code as the end of a sentence; an unknown one is shown without underscores.
    private static func words(_ reason: String) -> String {
        switch reason {
        case "required": "is missing"
        case "too_short": "is too short: write at least 3 characters"
        case "too_long": "is too long: write at most 500 characters"
        case "malformed": "is not valid. The command's --help shows the form"
        case "taken": "is taken already"
        case "unknown_type": "is no event type"
        case "unknown_provider", "not_configured":
            "names a provider that is not configured. See: gateway providers list"
        case "unknown_member": "is no known setting"
        case "unknown": "names nothing that exists"
        case "not_for_administration": "is not possible for an app with the permission administration"
        case "code_required": "needs the placeholder {code}"
        case "unknown_placeholder":
            "has a placeholder that this message does not have. See: gateway messages show MESSAGE"
        case "other_writer": "must be that of the other apps that share the attribute. Use: gateway clients apply"
        case "needs_a_secret": "needs a secret first. Run: gateway clients replace-secret APP"
        case "needs_a_sealed_secret": "needs a sealed secret first. Run: gateway clients replace-secret APP --sealed"
        case "must_be_sealed": "must be sealed: the app's dialect uses it as a key. Run the command with --sealed"
        case "needs_email": "needs an e-mail address"
        case "client_disabled": "is disabled. Run first: gateway clients change APP --enable-use"
        case "needs_confidential_client": "needs a confidential app"
        case "address_refused": "names an address that the gateway does not call"
        default: reason.replacing("_", with: " ")
        }
    }
}
