/// `GET /sign-up`: a name to sign in with, a password or none, and what the app wants to know.
struct SignUpPage: Sendable, Hashable {
    let clientName: String
    let hidden: [HiddenField]
    /// The name to sign in with, and what is asked beside it to reach somebody.
    let contacts: [Contact]
    let asksForPassword: Bool
    /// Whether an account that is opened by codes can be made too.
    let offersCode: Bool
    let displayName: String
    let attributes: [Attribute]
    let minimumLength: Int
    /// The same page for another kind of name.
    let otherNames: [OtherName]
    let loginAddress: String
    let problem: PageProblem?

    /// An address, a number or a user name.
    struct Contact: Sendable, Hashable {
        let kind: SignInNames.Kind
        let isRequired: Bool
        let value: String
    }

    struct OtherName: Sendable, Hashable {
        let kind: SignInNames.Kind
        let address: String
    }

    /// Something else that the app wants to know.
    struct Attribute: Sendable, Hashable {
        enum Kind: String, Sendable, CaseIterable {
            case text, number, date
            /// Yes, or nothing.
            case tick
            /// Yes or no: one of them must be said.
            case answer
        }

        enum Label: Sendable, Hashable {
            case known(KnownAttribute)
            /// In words of the operator's.
            case other(String)
        }

        let name: String
        let label: Label
        let kind: Kind
        let isRequired: Bool
        /// As it was typed; `true` or `false` for a tick and an answer.
        let value: String
        /// Whether the page's problem is about it.
        let isConcerned: Bool
    }
}

/// The kinds of names that people sign in with, as the label of one field.
struct SignInNames: Sendable, Hashable {
    /// The raw value is the name of a field of its own.
    enum Kind: String, Sendable, CaseIterable {
        case email, phone, username
    }

    let kinds: Set<Kind>

    /// Somebody without any would have nothing to type: an address is what is left.
    init(_ kinds: some Sequence<Kind>) {
        let kinds = Set(kinds)
        self.kinds = kinds.isEmpty ? [.email] : kinds
    }

    /// The message that says what to type.
    var label: String {
        "name." + Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: "_or_")
    }

    /// Of all that there can be.
    static let labels: [String] = (1..<8).map { bits in
        SignInNames(Kind.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)).label
    }
}
