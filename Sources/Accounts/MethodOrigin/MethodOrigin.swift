import Vocabulary

/// The origin of a sign-in method, for owners who are about to grant a role.
///
/// It combines the many linking rules into three cases. Each is the message `console.origin.<its raw value>`.
package enum MethodOrigin: String, CaseIterable {
    /// Moved, merged, split or linked by an operator.
    case byOperator = "operator"
    /// Set or linked by the back end of an app.
    case byBackEnd = "back_end"
    /// Added while a method was there that another person had put there.
    case besideOperator = "beside_operator"
    case ownMerge = "own_merge"
    case person
    case imported = "import"
    /// The account began with this identity.
    case first
    /// The identity joined the account by an address that both had confirmed.
    case sameAddress = "same_address"
    /// The user linked it, with a proof of the account.
    case linked
    case provider

    /// Rules of linking that functions of the database apply by themselves.
    package static let rulesOfFunctions = ["linked_in_session", "proved_both"]

    /// - Parameter code: the code in `sign_in_methods`: a linking rule, or the origin of an address.
    package init(_ code: String) {
        self =
            switch code {
            case _ where Self.rulesOfFunctions.contains(code): .linked
            default: MethodOrigin(rawValue: code) ?? LinkingPolicy.Rule(rawValue: code).map(Self.of) ?? .provider
            }
    }

    private static func of(_ rule: LinkingPolicy.Rule) -> MethodOrigin {
        switch rule {
        case .noMatch, .provedTakesUnproved, .neitherProved, .overBudget, .holderUnusable, .linkDeclined: .first
        case .bothProved: .sameAddress
        case .askFirst, .unprovedMayJoin, .accompanyingSession: .linked
        }
    }

    /// The same for the command line.
    package var words: String {
        switch self {
        case .byOperator: "put there by an operator"
        case .byBackEnd: "put there by the back end of an app"
        case .besideOperator: "added while a method was there that another person had put there"
        case .ownMerge: "came when the person merged another account into this one"
        case .person: "entered by the person"
        case .imported: "came with an import"
        case .first: "the account began with it"
        case .sameAddress: "joined by an address that the account and the provider had both confirmed"
        case .linked: "linked by the person"
        case .provider: "reported by a provider"
        }
    }
}
