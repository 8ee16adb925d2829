/// A mail's subject and text, before its layout.
struct Letter: Sendable, Equatable {
    enum Paragraph: Sendable, Equatable {
        case text(String)
        /// A code in its own block, easy to read and copy.
        case code(String)
        /// A link to a page of ours.
        case link(String, label: String)
    }

    /// A link of the app's brand, at the end of the mail.
    struct Link: Sendable, Equatable {
        let label: String
        let address: String
    }

    let language: MessageLanguage
    let subject: String
    let paragraphs: [Paragraph]
    let brand: MessageBrand
    var links: [Link] = []

    var textBody: String {
        let body = paragraphs.map { paragraph in
            switch paragraph {
            case .text(let text): text
            case .code(let code): "    \(code)"
            case .link(let address, let label): "\(label):\n\(address)"
            }
        }.joined(separator: "\n\n")
        return body + "\n" + (links.isEmpty ? "" : "\n" + Self.signature(brand.serviceName, links))
    }

    /// The signature is separated as in RFC 3676 §4.3, so that replies leave it out.
    private static func signature(_ name: String, _ links: [Link]) -> String {
        (["-- ", name] + links.map { "\($0.label): \($0.address)" }).joined(separator: "\n") + "\n"
    }
}
