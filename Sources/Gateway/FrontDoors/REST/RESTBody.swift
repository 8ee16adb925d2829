import Hummingbird
import JSON
import Providers
import Sessions

/// Readers for members of a request; they name a missing or mistyped member by its pointer.
extension JSONObject {
    /// A required text.
    func required(_ name: String, most: Int = 4_096) throws(Problem) -> String {
        guard let text = try optional(name, most: most), !text.isEmpty else {
            throw .invalidMember("/\(name)", "required")
        }
        return text
    }

    /// An optional text; null counts as absent.
    func optional(_ name: String, most: Int = 4_096) throws(Problem) -> String? {
        switch self[name] {
        case nil, .null: return nil
        case .string(let text) where text.utf8.count <= most: return text
        case .string: throw .invalidMember("/\(name)", "too_long")
        default: throw .invalidMember("/\(name)", "must_be_text")
        }
    }

    /// An object; `absent` replaces a missing one.
    func object(_ name: String, absent: JSONObject? = nil) throws(Problem) -> JSONObject {
        switch self[name] {
        case nil, .null:
            guard let absent else { throw .invalidMember("/\(name)", "required") }
            return absent
        case .object(let object): return object
        default: throw .invalidMember("/\(name)", "must_be_object")
        }
    }

    /// `scope` and `nonce`: the ID token of the session that the call begins.
    func tokens() throws(Problem) -> TokenOrder {
        let (scope, nonce) = (try optional("scope"), try optional("nonce"))
        do throws(Rejection) {
            return try TokenOrder(at: .gateway, scope: scope, nonce: nonce)
        } catch {
            throw Problem(error)
        }
    }

    func device() throws(Problem) -> DeviceHint {
        let device = try object("device", absent: [:])
        do throws(Problem) {
            let name = try device.optional("name", most: 400).flatMap { DisplayName.clean($0, limit: 100) }
            return DeviceHint(name: name, token: try device.optional("token", most: 100))
        } catch {
            throw error.under("/device")
        }
    }
}

extension Problem {
    /// Reports a missing or malformed member of the body.
    ///
    /// - Parameter pointer: RFC 6901, into the body.
    static func invalidMember(_ pointer: String, _ reason: String) -> Problem {
        Problem(.badRequest, code: "invalid_request", errors: [.invalid(pointer, reason)])
    }

    /// The same problem with its pointers below `prefix`.
    func under(_ prefix: String) -> Problem {
        Problem(
            status, code: code, title: title, detail: detail, retryAfter: retryAfter,
            errors: errors.map { Item(pointer: prefix + $0.pointer, code: $0.code, detail: $0.detail) },
            headers: headers, extensions: extensions)
    }
}
