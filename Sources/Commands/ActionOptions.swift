import ArgumentParser
import Foundation
import JSON
import Operators

/// The arguments of an action at the command line.
///
/// ArgumentParser finds the options of a type by reflection and decodes each by its name. Here both follow from the
/// declaration.
struct ActionOptions<Place: ListPlace>: ParsableArguments, CustomReflectable {
    /// The arguments by their names in the declaration.
    let sent: JSONObject
    /// The operator's consent; an action without a question has it already.
    let consent: Confirmation

    private static var consentName: String { "yes" }

    private static var arguments: [ActionArgument] { AccountActionCommand<Place>.action.arguments }

    init() {
        (sent, consent) = ([:], Confirmation())
    }

    var customMirror: Mirror {
        let asked: [(label: String?, value: Any)] =
            AccountActionCommand<Place>.action.asksFirst ? [(Self.consentName, Confirmation.flag)] : []
        return Mirror(self, children: Self.arguments.map { (label: $0.option, value: Self.option($0)) } + asked)
    }

    private static func option(_ argument: ActionArgument) -> Any {
        let help = ArgumentHelp(stringLiteral: argument.help)
        return switch argument.kind {
        case .flag: Flag(wrappedValue: false, help: help)
        case _ where argument.isOptional: Option<String?>(help: help)
        case .id, .otherAccount: Argument<String>(help: help)
        case .text, .provider, .realm: Option<String>(help: help)
        }
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: OptionName.self)
        var sent: JSONObject = [:]
        for argument in Self.arguments {
            let name = OptionName(stringValue: argument.option)
            let text: String?
            switch argument.kind {
            case .flag(let value):
                if try values.decode(Flag<Bool>.self, forKey: name).wrappedValue { sent[argument.name] = .bool(value) }
                continue
            case _ where argument.isOptional: text = try values.decode(Option<String?>.self, forKey: name).wrappedValue
            case .id, .otherAccount: text = try values.decode(Argument<String>.self, forKey: name).wrappedValue
            case .text, .provider, .realm: text = try values.decode(Option<String>.self, forKey: name).wrappedValue
            }
            sent[argument.name] = text.map { .string($0) }
        }
        self.sent = sent
        let asks = AccountActionCommand<Place>.action.asksFirst
        let key = OptionName(stringValue: Self.consentName)
        consent = Confirmation(isGiven: try asks && values.decode(Flag<Bool>.self, forKey: key).wrappedValue)
    }

    func validate() throws {
        for argument in Self.arguments where argument.kind == .id {
            guard let text = sent[argument.name]?.string, UUID(uuidString: text) == nil else { continue }
            throw ValidationError("\(text) is not an id.")
        }
    }
}

/// The name of an option that follows from a declaration.
struct OptionName: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
