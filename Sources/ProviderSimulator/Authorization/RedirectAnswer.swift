import HTTPTypes
import JSON

/// The form of an answer to the redirect address.
///
/// See OAuth 2.0 Multiple Response Type Encoding Practices §2.1 and OAuth 2.0 Form Post Response Mode.
enum ResponseMode: String, Sendable {
    case query, fragment
    case formPost = "form_post"
}

/// A name and a value for a redirect address.
struct FormField: Sendable, Equatable {
    let name: String
    let value: String

    init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }
}

/// The destination of an authorization answer, and the fields of every answer.
struct ReturnAddress: Sendable, Equatable {
    let uri: String
    let mode: ResponseMode
    /// Nil only for an error about a missing state.
    let state: String?
    /// The `iss` of RFC 9207, if the provider sends one.
    let issuer: String?

    func bearing(_ fields: [FormField]) -> RedirectAnswer {
        let further = [state.map { FormField("state", $0) }, issuer.map { FormField("iss", $0) }]
        return RedirectAnswer(uri: uri, mode: mode, fields: fields + further.compactMap(\.self))
    }
}

/// The fields that a browser must take to the redirect address.
struct RedirectAnswer: Sendable, Equatable {
    let uri: String
    let mode: ResponseMode
    let fields: [FormField]

    /// The answer to the browser: the redirect, or a page that posts itself.
    var answer: Answer {
        guard mode != .formPost else { return FormPostPage(action: uri, fields: fields).answer }
        return Answer(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"], body: .none)
    }

    /// The same for a test without a browser.
    var report: JSON {
        [
            "method": .string(mode == .formPost ? "POST" : "GET"), "url": .string(address),
            "fields": .object(JSONObject(fields.map { JSONObject.Member(name: $0.name, value: .string($0.value)) })),
        ]
    }

    /// Contains the fields unless they are posted; an existing query stays (RFC 6749 §3.1.2).
    private var address: String {
        let form = FormEncoding.text(fields)
        return switch mode {
        case .formPost: uri
        case .fragment: "\(uri)#\(form)"
        case .query: uri + (uri.utf8.contains(UInt8(ascii: "?")) ? "&" : "?") + form
        }
    }
}

/// Writes `application/x-www-form-urlencoded`, and escapes every byte with a special meaning.
enum FormEncoding {
    static func text(_ fields: [FormField]) -> String {
        fields.map { "\(escaped($0.name))=\(escaped($0.value))" }.joined(separator: "&")
    }

    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            let scalar = Unicode.Scalar(byte)
            guard !ProofKey.unreserved.contains(Character(scalar)) else { return String(scalar) }
            let digits = String(byte, radix: 16, uppercase: true)
            return byte < 16 ? "%0\(digits)" : "%\(digits)"
        }.joined()
    }
}
