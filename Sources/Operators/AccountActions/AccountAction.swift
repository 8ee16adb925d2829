package import OperatorAccess

/// An operator's action on an account, declared once.
///
/// From the declaration follow its endpoint in the admin API, its button and form in the console, and its command
/// `gateway accounts …`.
package struct AccountAction: Sendable {
    /// The form's field `do`, and a part of its message keys: `require_proof`.
    package let name: String
    package let right: AdminAction
    /// The command, if it isn't the name with hyphens.
    var ownWord: String?
    /// The API's path below the account, if it isn't the command.
    var ownPath: String?
    /// Whether its endpoint is DELETE: it removes what the path names.
    package var removes = false
    /// The interfaces that follow from the declaration.
    ///
    /// The others are written by hand, or take an argument of another action instead.
    package var interfaces = Set(Interface.allCases)
    /// The part of the account's page with its button.
    package var part = Part.account
    package var arguments: [ActionArgument] = []
    package var isDangerous = false
    package var reversal = Reversal.none
    /// The sessions that end, for the confirmation.
    package var ends = EndedSessions.none
    /// Whether the command asks first, though nothing above says what the user loses.
    var isLoss = false
    /// Help of the command.
    package var help = ""
    package var discussion = ""
    /// Whether the state of the account permits it.
    var isPossible: @Sendable (AccountState) -> Bool = { _ in true }
    /// Further arguments of the sentences that describe it.
    package var details: @Sendable (AccountState, AdminServices) -> [String: String] = { _, _ in [:] }
    var perform: @Sendable (ActionRequest) async throws -> ActionOutcome = { _ in throw AdminRefusal.notFound }

    /// Whether the command asks first: the user loses sessions, a sign-in method or the account.
    package var asksFirst: Bool { isDangerous || ends != .none || isLoss }
    /// The word of its command: `require-proof`.
    package var word: String { ownWord ?? name.replacing("_", with: "-") }
    /// Its path in the API: `accounts/{id}/disable`.
    package var path: String { ["accounts/{id}", ownPath ?? word].filter { !$0.isEmpty }.joined(separator: "/") }
    /// The arguments that the form asks for; the button names the part of the account.
    package var asked: [ActionArgument] {
        arguments.filter { [.provider, .text].contains($0.kind) && $0.name != part.field }
    }

    package enum Interface: CaseIterable, Sendable {
        case endpoint, form, command
    }

    package enum Part: String, Sendable {
        case account, address, identity, session, sessions, changes

        /// The argument that names one of several such parts.
        package var field: String? { [.address, .identity, .session].contains(self) ? rawValue : nil }
    }

    package enum Reversal: Sendable {
        case none
        /// An operator can undo the change for seven days.
        case undo
        /// Another action reverses it.
        case opposite
    }

    package enum EndedSessions: Sendable {
        /// Also if the sentence of the action states it.
        case none
        case all
        /// Those of the identity.
        case ofIdentity
    }
}

extension AccountAction: Equatable {
    package static func == (left: Self, right: Self) -> Bool { left.name == right.name }
}
