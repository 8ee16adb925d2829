import Foundation
import Testing

@testable import Accounts
@testable import Authorization
@testable import Clients
@testable import OperatorAccess
@testable import Operators
@testable import Postgres
@testable import Sessions
@testable import SignIn
@testable import Vocabulary

/// An enum of outcomes, with the refusals of the same functions.
struct WordList: Sendable, CustomTestStringConvertible {
    let name: String
    let own: Set<String>
    let shared: Set<String>
    let functions: [String]
    /// Whether users and operators can both meet the refusals.
    let isForBoth: Bool

    var testDescription: String { name }

    private init<Word: OutcomeWord>(_ words: Word.Type, _ shared: Set<String> = [], isForBoth: Bool = false) {
        name = "\(words)"
        own = Set(words.allCases.map(\.rawValue))
        functions = words.functions
        self.shared = shared
        self.isForBoth = isForBoth
    }

    /// The refusals that functions share.
    static let shared = [WordList(RefusalWord.self), WordList(AdminWord.self)]

    static let all: [WordList] = {
        let person = Set(RefusalWord.allCases.map(\.rawValue))
        let actor = Set(AdminWord.allCases.map(\.rawValue))
        func asked<Word: OutcomeWord>(_ words: Word.Type) -> WordList { WordList(words, person) }
        func operated<Word: OutcomeWord>(_ words: Word.Type) -> WordList { WordList(words, actor) }
        // Users and operators both read it: both word lists contain its refusals.
        func both<Word: OutcomeWord>(_ words: Word.Type) -> WordList {
            WordList(words, person.intersection(actor), isForBoth: true)
        }
        return [
            asked(SignInWord.self), asked(IdentityChange.self), WordList(LinkAsking.self),
            WordList(SignInStore.Adoption.self),
            asked(PasswordSignIn.self), asked(PasskeySignIn.self), asked(PasswordChange.self), asked(FlowOpening.self),
            asked(FlowResending.self), asked(FlowConfirmation.self), asked(FlowAnswer.self),
            asked(StepUpBeginning.self),
            asked(AddressRemoval.self), asked(AddressPreference.self), asked(LinkingWord.self),
            asked(OwnMergeWord.self),
            asked(OwnMergeUndoing.self), asked(SignUpBeginning.self), asked(SignUpAtOnce.self),
            asked(GuestSignIn.self), asked(AssertionWord.self), operated(ImpersonationWord.self),
            asked(SignUpCompletion.self), asked(SignUpConfirmation.self),
            asked(SignUpRenewal.self), asked(FactorRemoval.self), asked(FactorChange.self),
            asked(RecoveryCodeReplacement.self),
            asked(DeviceForgetting.self), asked(DeviceChange.self), asked(DeviceConfirmation.self),
            asked(FlowCharge.self), WordList(RotationWord.self),
            WordList(DisownWord.self), WordList(DisownedRemoval.self),
            WordList(HandoverRedemption.self), WordList(HandoverWord.self), WordList(AdoptionWord.self),
            WordList(DevicePoll.self),
            WordList(DoubtSettling.self),
            WordList(NotificationWord.self),
            WordList(AccountStore.Unlinking.self), WordList(AccountStore.Creation.self),
            WordList(UserConfirmation.self), WordList(InvitationAcceptance.self),
            WordList(TransferStore.Outcome.self),
            operated(UserChanging.self), operated(AddressVouching.self), operated(UserFactorPreference.self),
            both(DeletionWord.self), both(DeletionCancelling.self), both(ExportWord.self),
            operated(ClientRefusal.self), operated(GrantWord.self), operated(MergeWord.self), operated(SplitWord.self),
            operated(UndoWord.self), operated(IdentityLinking.self), operated(IdentityUnlinking.self),
            operated(IdentityMoving.self), operated(CareWord.self), operated(FactorRemovalAsking.self),
            // These return only refusals.
            WordList(refusalsAlone: RefusalWord.self), WordList(refusalsAlone: AdminWord.self),
        ]
    }()

    private init<Word: OutcomeWord>(refusalsAlone words: Word.Type) {
        name = "\(words)"
        own = []
        shared = Set(words.allCases.map(\.rawValue))
        functions = words.functions
        isForBoth = false
    }

    /// The file with the declaration.
    var file: String {
        get throws {
            try #require(
                try Pages.swiftFiles("Sources").first {
                    try Pages.text($0).contains("enum \(name): String, OutcomeWord")
                })
        }
    }
}

/// The switches of a Swift source, as far as the tests need them.
struct SwiftSwitches {
    let subject: String
    let cases: Set<String>
    let hasDefault: Bool

    static func all(in text: String) -> [SwiftSwitches] {
        text.matches(of: /\bswitch\b([^\n]*)\{\n/).map { match in
            var depth = 1
            let rest = text[match.range.upperBound...]
            let end = rest.indices.first { index in
                depth += rest[index] == "{" ? 1 : rest[index] == "}" ? -1 : 0
                return depth == 0
            }
            let block = rest[..<(end ?? rest.endIndex)]
            return SwiftSwitches(
                subject: String(match.output.1),
                cases: Set(block.matches(of: /case \.(\w+)/).map { String($0.output.1) }),
                hasDefault: block.contains(/\bdefault:|@unknown default/))
        }
    }

    /// The names of an enum's cases.
    static func cases(of name: String, in text: String) -> Set<String>? {
        guard let start = text.range(of: "enum \(name): String, OutcomeWord {") else { return nil }
        let rest = text[start.upperBound...]
        guard let end = rest.range(of: "}") else { return nil }
        return Set(
            rest[..<end.lowerBound].matches(of: /case ([^\n]+)/).flatMap { match in
                match.output.1.split(separator: ",").map { part in
                    String(part.trimmingCharacters(in: .whitespaces).prefix { $0 != " " })
                }
            })
    }
}
