import HTTPTypes

/// A page of a simulated provider, without external resources and by default without scripts.
struct HTMLPage: Sendable {
    let title: String
    let colour: String
    /// Markup; its author has escaped the contents.
    let body: String
    var hasScript = false

    /// `form-action` stays open: browsers apply it also to the redirect after a form, which leads to the caller.
    var answer: Answer {
        let script = hasScript ? "; script-src 'unsafe-inline'" : ""
        let policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'" + script
        return Answer(
            headers: [.cacheControl: "no-store", .contentSecurityPolicy: policy],
            body: .text(text, type: "text/html; charset=utf-8"))
    }

    /// Text for use between tags and in quoted attributes.
    static func escaped(_ text: String) -> String {
        // By scalars: a quotation mark with a combining accent is one Character, which differs from the mark.
        text.unicodeScalars.map { scalar in
            switch scalar {
            case "&": "&amp;"
            case "<": "&lt;"
            case ">": "&gt;"
            case "\"": "&quot;"
            case "'": "&#39;"
            default: String(scalar)
            }
        }.joined()
    }

    // The empty icon stops browsers from requesting /favicon.ico, which would count as a stray request.
    private var text: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <title>\(Self.escaped(title))</title>
        <link rel="icon" href="data:,">
        <style>
        body { font: 16px/1.5 system-ui, sans-serif; margin: 0; background: #f2f2f4; color: #1c1c1e; }
        main { max-width: 26rem; margin: 2rem auto; padding: 1.5rem; background: #fff; border-top: 6px solid \(colour); }
        h1 { margin: 0; font-size: 1.6rem; }
        code { overflow-wrap: anywhere; }
        label { display: block; margin-top: .75rem; }
        input:not([type=checkbox]), select { box-sizing: border-box; width: 100%; padding: .5rem; font: inherit; }
        button { margin: 1.25rem .5rem 0 0; padding: .5rem 1.25rem; font: inherit; }
        .main { background: \(colour); border-color: \(colour); color: #fff; }
        .note { color: #5b5b60; font-size: .875rem; }
        </style>
        </head>
        <body>
        <main>
        \(body)
        </main>
        </body>
        </html>

        """
    }
}

extension FormField {
    var hiddenInput: String {
        "<input type=\"hidden\" name=\"\(HTMLPage.escaped(name))\" value=\"\(HTMLPage.escaped(value))\">"
    }
}
