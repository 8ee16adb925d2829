import Hummingbird
import JSON
import Providers
import Sessions

/// Members of a request; a refusal names a missing or mistyped one by its pointer.
extension JSONObject {
    /// The same object; a member that is not listed is refused as `unknown_member`.
    func limited(to known: [String]) throws(Problem) -> JSONObject {
        do { return try only(known) } catch { throw Problem(error) }
    }

    /// A required text.
    func required(_ name: String, most: Int = 4_096) throws(Problem) -> String {
        do { return try requiredText(name, most: most) } catch { throw Problem(error) }
    }

    /// An optional text; null counts as absent.
    func optional(_ name: String, most: Int = 4_096) throws(Problem) -> String? {
        do { return try optionalText(name, most: most) } catch { throw Problem(error) }
    }

    /// An object; `absent` replaces a missing one.
    func object(_ name: String, absent: JSONObject? = nil) throws(Problem) -> JSONObject {
        do {
            guard let absent else { return try requiredObject(name) }
            return try optionalObject(name) ?? absent
        } catch {
            throw Problem(error)
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

    /// `bot_check`: the answer of the widget.
    func botToken() throws(Problem) -> String? { try optional("bot_check", most: BotToken.longest) }

    /// An object of texts; nil if the member is absent or null.
    func texts(_ name: String) throws(Problem) -> [String: String]? {
        do { return try optionalTexts(name) } catch { throw Problem(error) }
    }

    func device() throws(Problem) -> DeviceHint {
        let device = try object("device", absent: [:])
        do throws(Problem) {
            _ = try device.limited(to: ["name", "token"])
            let name = try device.optional("name", most: 400).flatMap { DisplayName.clean($0, limit: 100) }
            return DeviceHint(name: name, token: try device.optional("token", most: 100))
        } catch {
            throw error.under("/device")
        }
    }
}

extension Problem {
    fileprivate init(_ error: MemberError) {
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
        self = .invalidMember(error.pointer, reason)
    }

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
