import HTTPTypes
import Hummingbird

/// The media types that bodies come in.
enum BodyMediaType: String, Sendable {
    case json = "application/json"
    case form = "application/x-www-form-urlencoded"

    /// - Throws: ``Problem`` 415 unless the request says this very type, with no charset but UTF-8.
    func require(in headers: HTTPFields) throws(Problem) {
        guard let value = headers.value(.contentType), matches(value) else {
            throw .unsupportedMediaType(expected: rawValue)
        }
    }

    private func matches(_ value: String) -> Bool {
        if value.utf8.elementsEqual(rawValue.utf8) { return true }
        let parts = value.split(separator: ";").map { ValueShape.trimmed($0).lowercased() }
        guard parts.first == rawValue else { return false }
        return parts.dropFirst().allSatisfy { $0 == "charset=utf-8" || $0 == "charset=\"utf-8\"" || $0.isEmpty }
    }
}
