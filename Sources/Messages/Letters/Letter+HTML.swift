import Clients

/// The HTML part of a mail: the same text on a card, in the look of the app's brand.
///
/// Mail programs drop scripts and many rules, so the layout is tables with inline styles. Without a brand's logo it
/// loads nothing from other hosts. It never contains scripts, forms or read receipts.
extension Letter {
    var htmlBody: String {
        """
        <!doctype html>
        <html lang="\(language.rawValue)">
        <head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>\(Self.escaped(subject))</title>
        <style>@media (prefers-color-scheme:dark){\(MailColours.dark(brand.brand).overrides)}</style></head>
        <body class="ground" style="\(Self.bodyStyle)">
        \(markup)
        </body>
        </html>

        """
    }

    /// The style of the body.
    static let bodyStyle =
        "margin:0;background-color:#f3f5f8;font-family:-apple-system,Segoe UI,Roboto,Helvetica,Arial,sans-serif;font-size:16px;line-height:1.5"

    private var colours: MailColours { .light(brand.brand) }

    /// The elements inside the body.
    var markup: String {
        """
        <table role="presentation" class="ground" width="100%" cellpadding="0" cellspacing="0" style="background-color:\(colours.ground)"><tr><td align="center" style="padding:24px 12px">
        <table role="presentation" width="560" cellpadding="0" cellspacing="0" style="width:100%;max-width:560px;text-align:left">
        <tr><td style="padding:0 24px 16px">\(name)</td></tr>
        <tr><td class="card text" style="padding:28px 24px;background-color:\(colours.card);border:1px solid \(colours.line);border-radius:12px;overflow-wrap:anywhere;word-break:break-word;color:\(colours.text)">
        \(content.joined(separator: "\n"))
        </td></tr>
        <tr><td class="quiet" style="padding:16px 24px;color:\(colours.quiet);font-size:13px">
        \(footer.joined(separator: "\n"))
        </td></tr>
        </table>
        </td></tr></table>
        """
    }

    /// The logo, or the name without one.
    ///
    /// Most mail programs show the alternative text until the reader allows images.
    private var name: String {
        let name = Self.escaped(brand.serviceName)
        guard let logo = brand.brand?.logo else {
            return "<strong class=\"accent\" style=\"color:\(colours.accent.text);font-size:18px\">\(name)</strong>"
        }
        return
            "<img class=\"logo\" src=\"\(Self.escaped(logo))\" alt=\"\(name)\" height=\"40\" style=\"border-radius:6px\">"
    }

    private var content: [String] {
        ["<h1 style=\"margin:0;font-size:20px;line-height:1.3\">\(Self.escaped(heading))</h1>"]
            + paragraphs.map(element) + [button.map(element)].compactMap(\.self)
    }

    private func element(_ paragraph: Paragraph) -> String {
        switch paragraph {
        case .text(let text): "<p style=\"margin:16px 0 0\">\(Self.escaped(text))</p>"
        case .code(let code):
            "<p class=\"accent\" style=\"margin:16px 0 0;color:\(colours.accent.text);font-size:30px;font-weight:bold;letter-spacing:5px\">\(Self.escaped(code))</p>"
        }
    }

    private func element(_ button: Link) -> String {
        let accent = colours.accent
        let rules = [
            "display:inline-block", "padding:12px 20px", "border-radius:8px", "font-weight:bold",
            "text-decoration:none", "background-color:\(accent.text)", "color:\(accent.textColour.text)",
        ].joined(separator: ";")
        return
            "<p style=\"margin:24px 0 0\"><a class=\"button\" href=\"\(Self.escaped(button.address))\" style=\"\(rules)\">\(Self.escaped(button.label))</a></p>"
    }

    private var footer: [String] {
        let reason = "<p style=\"margin:0\">\(Self.escaped(reason))</p>"
        guard !links.isEmpty else { return [reason] }
        let anchors = links.map { link in
            "<a href=\"\(Self.escaped(link.address))\" style=\"color:inherit\">\(Self.escaped(link.label))</a>"
        }
        return [reason, "<p style=\"margin:8px 0 0\">\(anchors.joined(separator: " · "))</p>"]
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
