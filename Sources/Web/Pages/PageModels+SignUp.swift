import Pages

/// `GET /sign-up`: a sign-in name, an optional password, and the app's attributes.
struct SignUpPage: Sendable, Hashable {
    let clientName: String
    /// A sign-in with one of them creates an account as well.
    let ways: SignInWays
    let hidden: [HiddenField]
    /// The sign-in name, and the additional contact fields; empty if the app has no sign-up by name.
    let contacts: [Contact]
    let asksForPassword: Bool
    /// Whether accounts without a password are allowed.
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

    /// An additional attribute of the app.
    struct Attribute: Sendable, Hashable {
        enum Kind: String, Sendable, CaseIterable {
            case text, number, date
            /// A checkbox.
            case tick
            /// A required yes/no question.
            case answer
        }

        let name: String
        let label: AttributeLabel
        let kind: Kind
        let isRequired: Bool
        /// As entered; `true` or `false` for a checkbox and an answer.
        let value: String
        /// Whether the page's problem concerns it.
        let isConcerned: Bool
    }
}

/// The allowed kinds of names, as the label of one field.
struct SignInNames: Sendable, Hashable {
    /// The raw value is the name of a separate field.
    enum Kind: String, Sendable, CaseIterable {
        case email, phone, username
    }

    let kinds: Set<Kind>

    /// Without any kind the field would be useless, so the default is an address.
    init(_ kinds: some Sequence<Kind>) {
        let kinds = Set(kinds)
        self.kinds = kinds.isEmpty ? [.email] : kinds
    }

    /// The message with the input hint.
    var label: String {
        "name." + Kind.allCases.filter(kinds.contains).map(\.rawValue).joined(separator: "_or_")
    }

    /// The kinds of all names.
    static let labels: [String] = (1..<8).map { bits in
        SignInNames(Kind.allCases.enumerated().filter { bits >> $0.offset & 1 == 1 }.map(\.element)).label
    }
}

/// The bot check before a code: its form repeats the request.
struct BotCheckPage: Sendable, Hashable {
    let clientName: String
    /// The address of the request.
    let action: String
    /// The fields of the request.
    let hidden: [HiddenField]
    let backAddress: String
    let problem: PageProblem?
}
