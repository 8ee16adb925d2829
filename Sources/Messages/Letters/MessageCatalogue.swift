import Foundation
import JSON

/// The reason why the texts of messages are unusable, which prevents the start.
enum MessageCatalogueError: Error, Equatable, CustomStringConvertible {
    case unreadable(String)
    case malformed(String, key: String)
    case missing(String, key: String)
    case unknown(String, key: String)
    case differentPlaces(String, key: String)

    var description: String {
        switch self {
        case .unreadable(let file): "Messages can't be written: \(file) is not there, or no JSON object."
        case .malformed(let file, let key): "\(file): \(key) is no text, is empty, or has a brace without its partner."
        case .missing(let file, let key): "\(file): \(key) is missing."
        case .unknown(let file, let key): "\(file): \(key) is asked for by nothing."
        case .differentPlaces(let file, let key): "\(file): \(key) has other places than in en.json."
        }
    }
}

/// The texts of mails and text messages in every language, read once at the start.
struct MessageCatalogue: Sendable {
    private var texts: [MessageLanguage: [String: MessageText]]

    static func bundled() throws(MessageCatalogueError) -> MessageCatalogue {
        try MessageCatalogue(folder: Bundle.module.bundlePath + "/Texts")
    }

    /// - Throws: an error with file and key unless all files have the same required keys with the same placeholders.
    init(folder: String) throws(MessageCatalogueError) {
        let source = try Self.read(.english, in: folder)
        var texts: [MessageLanguage: [String: MessageText]] = [:]
        for language in MessageLanguage.allCases {
            let file = "\(language.rawValue).json"
            let own = try Self.read(language, in: folder)
            for key in MessageKeys.all.sorted() {
                guard let text = own[key] else { throw .missing(file, key: key) }
                guard text.places == source[key]?.places else { throw .differentPlaces(file, key: key) }
            }
            if let key = own.keys.sorted().first(where: { !MessageKeys.all.contains($0) }) {
                throw .unknown(file, key: key)
            }
            texts[language] = own
        }
        self.texts = texts
    }

    /// The same catalogue with other texts in one language.
    func changing(_ changed: [String: MessageText], in language: MessageLanguage) -> MessageCatalogue {
        var copy = self
        copy.texts[language, default: [:]].merge(changed) { _, new in new }
        return copy
    }

    func source(of key: String, in language: MessageLanguage) -> MessageText? { texts[language]?[key] }

    func text(_ key: String, _ language: MessageLanguage, _ values: [String: String]) -> String {
        texts[language]?[key]?.filled(values) ?? ""
    }

    private static func read(
        _ language: MessageLanguage, in folder: String
    ) throws(MessageCatalogueError) -> [String: MessageText] {
        let file = "\(language.rawValue).json"
        guard let data = FileManager.default.contents(atPath: "\(folder)/\(file)"),
            let members = (try? JSON(parsing: Array(data)))?.object?.members
        else { throw .unreadable(file) }
        var texts: [String: MessageText] = [:]
        for member in members {
            guard let text = member.value.string.flatMap(MessageText.init) else {
                throw .malformed(file, key: member.name)
            }
            texts[member.name] = text
        }
        return texts
    }
}

/// The keys that the code requires.
enum MessageKeys {
    /// The account changes with their own text; others use the text `other`.
    static let notices = Set(NoticePages.addresses.keys)

    /// The further texts of the notice about a new device.
    static let newDeviceParts = ["date", "app", "device", "address", "unknown", "known", "unknown_sign_in", "link"]

    static let all: Set<String> = {
        var keys: Set<String> = [
            "code.subject", "code.once", "code.warning", "account_exists.subject", "account_exists.text",
            "account_exists.advice", "no_account.subject", "no_account.text", "no_account.advice", "unasked",
            "invitation.subject", "invitation.text", "invitation.advice", "sms.invitation",
            "invitation_link.subject", "invitation_link.text", "invitation_link.link", "invitation_link.advice",
            "sms.invitation_link", "notice.advice",
            "button.sign_in", "button.account", "reason.typed", "reason.account",
            "life.minutes", "life.hours", "footer.terms", "footer.privacy", "footer.support",
            "sms.account_exists", "sms.no_account", "sms.notice",
        ]
        for purpose in CodePurpose.allCases.map(\.rawValue) {
            keys.formUnion(["code.\(purpose).lead", "code.\(purpose).unasked", "sms.code.\(purpose)"])
        }
        keys.formUnion(newDeviceParts.map { "notice.new_device.\($0)" })
        for notice in notices.union(["other"]) {
            keys.formUnion(["notice.\(notice).subject", "notice.\(notice).text"])
        }
        return keys
    }()
}
