package import Logging
package import Postgres
import Providers
import Synchronization

/// The texts of messages in use: the bundled ones, with the changes of operators.
package final class MessageTexts: Sendable {
    let bundled: MessageCatalogue
    private let held: Mutex<MessageCatalogue>

    init(_ bundled: MessageCatalogue) {
        self.bundled = bundled
        held = Mutex(bundled)
    }

    /// - Throws: if the bundled texts cannot be read.
    package static func read() throws -> MessageTexts { MessageTexts(try .bundled()) }

    var catalogue: MessageCatalogue { held.withLock { $0 } }

    /// Reads the changes of operators again.
    ///
    /// A stored text that no longer fits, such as one with a removed placeholder, is left out: the bundled one is sent.
    package func reload(from pool: ConnectionPool, _ logger: Logger) async throws {
        let rows = try await pool.query("select language, key, text from message_texts") { row in
            (
                try row.value(0, as: String.self), try row.value(1, as: String.self),
                try row.value(2, as: String.self)
            )
        }
        var catalogue = bundled
        for (tag, key, text) in rows {
            guard let language = MessageLanguage(rawValue: tag), let text = try? bundled.checked(text, for: key) else {
                logger.warning("a changed text of a message does not fit and is left out", metadata: ["key": "\(key)"])
                continue
            }
            catalogue = catalogue.changing([key: text], in: language)
        }
        held.withLock { $0 = catalogue }
    }
}

/// A text that a message cannot have.
package struct MessageTextFault: Error, Equatable {
    package let key: String
    /// `unknown`, `malformed`, `too_long`, `unknown_placeholder`, or `code_required`.
    package let reason: String
}

extension MessageCatalogue {
    /// The greatest length of a text in characters.
    private static let longest = 500

    /// Checks a text for a key: it may have the placeholders of the bundled text, and must keep `{code}`.
    func checked(_ text: String, for key: String) throws(MessageTextFault) -> MessageText {
        guard let places = source(of: key, in: .english)?.places else {
            throw MessageTextFault(key: key, reason: "unknown")
        }
        guard text.count <= Self.longest else { throw MessageTextFault(key: key, reason: "too_long") }
        guard let parsed = MessageText(text), text.unicodeScalars.allSatisfy(\.isShownInLine) else {
            throw MessageTextFault(key: key, reason: "malformed")
        }
        guard parsed.places.isSubset(of: places) else {
            throw MessageTextFault(key: key, reason: "unknown_placeholder")
        }
        guard !places.contains("code") || parsed.places.contains("code") else {
            throw MessageTextFault(key: key, reason: "code_required")
        }
        return parsed
    }
}
