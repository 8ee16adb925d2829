import HTTPTypes
import Hummingbird
import Settings

/// The supported media types of bodies.
enum BodyMediaType: String, Sendable {
    case json = "application/json"
    case form = "application/x-www-form-urlencoded"

    /// - Throws: ``Problem`` 415 for another type, a charset of JSON other than UTF-8, or a content coding such as gzip
    ///   (RFC 9110 section 8.4).
    func require(in headers: HTTPFields) throws(Problem) {
        guard headers.value(.contentEncoding).map({ $0.lowercased() == "identity" }) ?? true else {
            throw .unsupportedMediaType(expected: "\(rawValue), without Content-Encoding")
        }
        guard let value = headers.value(.contentType), matches(value) else {
            throw .unsupportedMediaType(expected: rawValue)
        }
    }

    private func matches(_ value: String) -> Bool {
        if value.utf8.elementsEqual(rawValue.utf8) { return true }
        let parts = value.split(separator: ";").map { ValueShape.trimmed($0).lowercased() }
        guard parts.first == rawValue else { return false }
        return parts.dropFirst().allSatisfy(isHarmless)
    }

    /// Whether a parameter of the type is allowed.
    ///
    /// A form is ASCII with UTF-8 escapes for every charset (RFC 6749 appendix B). The parameter is not defined for it,
    /// but HTTP libraries send their own default.
    private func isHarmless(_ parameter: String) -> Bool {
        switch self {
        case .json: ["", "charset=utf-8", "charset=\"utf-8\""].contains(parameter)
        case .form: parameter.isEmpty || parameter.hasPrefix("charset=")
        }
    }
}
