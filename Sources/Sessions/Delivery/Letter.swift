/// A mail's subject and text, before its layout.
struct Letter: Sendable, Equatable {
    enum Paragraph: Sendable, Equatable {
        case text(String)
        /// A code in its own block, easy to read and copy.
        case code(String)
        /// The only kind of link: to a page of ours.
        case link(String, label: String)
    }

    let language: MessageLanguage
    let subject: String
    let paragraphs: [Paragraph]

    var textBody: String {
        paragraphs.map { paragraph in
            switch paragraph {
            case .text(let text): text
            case .code(let code): "    \(code)"
            case .link(let address, let label): "\(label):\n\(address)"
            }
        }.joined(separator: "\n\n") + "\n"
    }

    /// The same text, without images, remote content or read receipts.
    var htmlBody: String {
        let body = paragraphs.map { paragraph in
            switch paragraph {
            case .text(let text): "<p>\(Self.escaped(text))</p>"
            case .link(let address, let label):
                "<p><a href=\"\(Self.escaped(address))\">\(Self.escaped(label))</a></p>"
            case .code(let code):
                "<p style=\"font-size:28px;font-weight:bold;letter-spacing:4px\">\(Self.escaped(code))</p>"
            }
        }
        return """
            <!doctype html>
            <html lang="\(language.rawValue)">
            <head><meta charset="utf-8"><title>\(Self.escaped(subject))</title></head>
            <body style="font-family:sans-serif;font-size:16px;line-height:1.5;max-width:36em">
            \(body.joined(separator: "\n"))
            </body>
            </html>

            """
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
