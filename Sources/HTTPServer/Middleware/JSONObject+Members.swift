import Hummingbird
package import JSON

/// Members of a request; a refusal names a missing or mistyped one by its pointer.
extension JSONObject {
    /// The same object; a member that is not listed is refused as `unknown_member`.
    ///
    /// - Parameter shown: what the refusal lists, if it differs from `known`.
    package func limited(to known: [String], listing shown: [String]? = nil) throws(Problem) -> JSONObject {
        do { return try only(known) } catch { throw Problem(error, accepted: shown) }
    }

    /// A required text.
    package func required(_ name: String, most: Int = 4_096) throws(Problem) -> String {
        do { return try requiredText(name, most: most) } catch { throw Problem(error) }
    }

    /// An optional text; null counts as absent.
    package func optional(_ name: String, most: Int = 4_096) throws(Problem) -> String? {
        do { return try optionalText(name, most: most) } catch { throw Problem(error) }
    }

    /// An object; `absent` replaces a missing one.
    package func object(_ name: String, absent: JSONObject? = nil) throws(Problem) -> JSONObject {
        do {
            guard let absent else { return try requiredObject(name) }
            return try optionalObject(name) ?? absent
        } catch {
            throw Problem(error)
        }
    }

    /// An object of texts; nil if the member is absent or null.
    package func texts(_ name: String) throws(Problem) -> [String: String]? {
        do { return try optionalTexts(name) } catch { throw Problem(error) }
    }
}

extension Problem {
    fileprivate init(_ error: MemberError, accepted: [String]? = nil) {
        let reason =
            switch error.reason {
            case .missing: "required"
            case .tooLong: "too_long"
            case .unknown: "unknown_member"
            case .notA(.text): "must_be_text"
            case .notA(.bool): "must_be_true_or_false"
            case .notA(.array): "must_be_list"
            case .notA(.object): "must_be_object"
            }
        self = .invalidMember(error.pointer, reason, accepted: accepted ?? error.accepted)
    }

    /// Reports a missing or malformed member of the body.
    ///
    /// - Parameters:
    ///   - pointer: RFC 6901, into the body.
    ///   - accepted: the values or members that the place may have, where they are few.
    package static func invalidMember(_ pointer: String, _ reason: String, accepted: [String] = []) -> Problem {
        Problem(.badRequest, code: "invalid_request", errors: [.invalid(pointer, reason, accepted: accepted)])
    }

    /// The same problem with its pointers below `prefix`.
    package func under(_ prefix: String) -> Problem {
        Problem(
            status, code: code, title: title, detail: detail, retryAfter: retryAfter,
            errors: errors.map { Item(pointer: prefix + $0.pointer, code: $0.code, detail: $0.detail) },
            headers: headers, extensions: extensions)
    }
}
