/// The widget of a bot check service, which a browser shows.
package struct BotWidget: Sendable, Hashable {
    /// The services with the same format of answers.
    package enum Kind: String, Sendable, CaseIterable {
        case turnstile, hcaptcha, recaptcha
    }

    package let kind: Kind
    /// Public: it names the operator's account at the service.
    package let siteKey: String

    package init(_ kind: Kind, siteKey: String) {
        (self.kind, self.siteKey) = (kind, siteKey)
    }
}

extension BotWidget.Kind {
    /// The address that checks tokens, unless the operator sets another one.
    package var verification: String {
        switch self {
        case .turnstile: "https://challenges.cloudflare.com/turnstile/v0/siteverify"
        case .hcaptcha: "https://api.hcaptcha.com/siteverify"
        case .recaptcha: "https://www.google.com/recaptcha/api/siteverify"
        }
    }

    /// The script that turns elements of ``elementClass`` into widgets.
    package var script: String {
        switch self {
        case .turnstile: "https://challenges.cloudflare.com/turnstile/v0/api.js"
        case .hcaptcha: "https://js.hcaptcha.com/1/api.js"
        case .recaptcha: "https://www.google.com/recaptcha/api.js"
        }
    }

    package var elementClass: String {
        switch self {
        case .turnstile: "cf-turnstile"
        case .hcaptcha: "h-captcha"
        case .recaptcha: "g-recaptcha"
        }
    }

    /// The form field with the token.
    package var field: String { "\(elementClass)-response" }

    /// The sources that a page's `Content-Security-Policy` must allow, as the service documents them.
    package var sources: BotWidgetSources {
        switch self {
        case .turnstile:
            let origin = ["https://challenges.cloudflare.com"]
            return BotWidgetSources(scripts: origin, frames: origin)
        case .hcaptcha:
            let origins = ["https://hcaptcha.com", "https://*.hcaptcha.com"]
            return BotWidgetSources(scripts: origins, frames: origins, styles: origins, connections: origins)
        case .recaptcha:
            let service = "https://www.google.com/recaptcha/"
            return BotWidgetSources(
                scripts: [service, "https://www.gstatic.com/recaptcha/"],
                frames: [service, "https://recaptcha.google.com/recaptcha/"], connections: [service])
        }
    }
}

/// The answer of a widget.
package enum BotToken {
    /// More than the longest answer of these services, in bytes.
    package static let longest = 8_192
}

/// The sources of a widget by their kind.
package struct BotWidgetSources: Sendable, Equatable {
    package let scripts: [String]
    package let frames: [String]
    package let styles: [String]
    package let connections: [String]

    init(scripts: [String], frames: [String], styles: [String] = [], connections: [String] = []) {
        (self.scripts, self.frames, self.styles, self.connections) = (scripts, frames, styles, connections)
    }
}
