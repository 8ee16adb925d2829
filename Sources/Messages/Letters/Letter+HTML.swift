import Clients

/// The HTML part of a mail: the same text in the look of the app's brand.
///
/// Without a brand's logo it loads nothing from other hosts. It never contains scripts, forms or read receipts.
extension Letter {
    var htmlBody: String {
        """
        <!doctype html>
        <html lang="\(language.rawValue)">
        <head><meta charset="utf-8"><title>\(Self.escaped(subject))</title></head>
        <body style="\(Self.bodyStyle)">
        \(markup)
        </body>
        </html>

        """
    }

    static let bodyStyle = "font-family:sans-serif;font-size:16px;line-height:1.5;max-width:36em"

    /// The elements inside the body.
    var markup: String {
        ([logo] + paragraphs.map(element) + [footer]).compactMap(\.self).joined(separator: "\n")
    }

    /// Most mail programs show the alternative text until the reader allows images.
    private var logo: String? {
        brand.brand?.logo.map { address in
            "<p><img src=\"\(Self.escaped(address))\" alt=\"\(Self.escaped(brand.serviceName))\" height=\"40\"></p>"
        }
    }

    private func element(_ paragraph: Paragraph) -> String {
        switch paragraph {
        case .text(let text): "<p>\(Self.escaped(text))</p>"
        case .link(let address, let label):
            "<p><a href=\"\(Self.escaped(address))\"\(buttonStyle)>\(Self.escaped(label))</a></p>"
        case .code(let code):
            "<p style=\"font-size:28px;font-weight:bold;letter-spacing:4px\">\(Self.escaped(code))</p>"
        }
    }

    /// Empty without an accent colour.
    private var buttonStyle: String {
        guard let accent = brand.brand?.accent else { return "" }
        let rules = [
            "display:inline-block", "padding:12px 20px", "border-radius:8px", "text-decoration:none",
            "background:\(accent.text)", "color:\(accent.textColour.text)",
        ]
        return " style=\"\(rules.joined(separator: ";"))\""
    }

    private var footer: String? {
        guard !links.isEmpty else { return nil }
        let anchors = links.map { link in
            "<a href=\"\(Self.escaped(link.address))\" style=\"color:inherit\">\(Self.escaped(link.label))</a>"
        }
        return "<p style=\"margin-top:32px;color:#566070;font-size:13px\">\(anchors.joined(separator: " · "))</p>"
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
