/// A mail's subject and text, before its layout.
struct Letter: Sendable, Equatable {
    enum Paragraph: Sendable, Equatable {
        case text(String)
        /// A code in its own block, easy to read and copy.
        case code(String)
    }

    struct Link: Sendable, Equatable {
        let label: String
        let address: String
    }

    let language: MessageLanguage
    let subject: String
    /// The first line: the purpose of a code, or the event.
    let heading: String
    let paragraphs: [Paragraph]
    /// The page where the reader can act; nil if there is none.
    let button: Link?
    /// Why the reader gets the mail.
    let reason: String
    let brand: MessageBrand
    /// The links of the app's brand, at the end of the mail.
    var links: [Link] = []

    var textBody: String {
        let body = paragraphs.map { paragraph in
            switch paragraph {
            case .text(let text): text
            case .code(let code): "    \(code)"
            }
        }
        let address = button.map { "\($0.label):\n\($0.address)" }
        let parts = [heading] + body + [address].compactMap(\.self) + [reason]
        return parts.joined(separator: "\n\n") + "\n" + Self.signature(brand.serviceName, links)
    }

    /// The signature is separated as in RFC 3676 §4.3, so that replies leave it out.
    private static func signature(_ name: String, _ links: [Link]) -> String {
        guard !links.isEmpty else { return "" }
        return (["\n-- ", name] + links.map { "\($0.label): \($0.address)" }).joined(separator: "\n") + "\n"
    }
}
