/// A refusal of the gateway, RFC 9457.
///
/// Branch on ``code``, never on the texts: `docs/errors.md` lists cause and remedy of each code.
public struct Problem: Sendable, Equatable {
    /// The stable name of the refusal.
    public let code: ErrorCode
    /// The HTTP status.
    public let status: Int
    /// A sentence for the user, in English.
    public let title: String
    /// More about this occurrence, such as the remaining attempts.
    public let detail: String?
    /// Names the log lines of the server: show it to support.
    public let requestID: String?
    /// Seconds until another attempt is useful.
    public let retryAfter: Int?
    /// The wrong members of the request.
    public let fields: [FieldProblem]
    /// With ``ErrorCode/identityInUse``: the proof with which the two accounts can be merged.
    public let mergeTicket: MergeTicket?

    /// With ``ErrorCode/sessionEnded``: the reason for the end, such as `consent_withdrawn`.
    ///
    /// `docs/openapi.yaml` lists the values. Nil if the gateway no longer knows it.
    public let reason: String?

    /// With ``ErrorCode/botCheckRequired`` and ``ErrorCode/botCheckFailed``: the widget to show.
    public let botCheck: BotCheckWidget?

    /// A wrong member of the request.
    public struct FieldProblem: Sendable, Equatable, Decodable {
        /// A JSON pointer into the request's body, such as `/credential/username`.
        public let pointer: String
        /// The stable name of the error.
        public let code: String
        /// The error in words.
        public let detail: String

        enum CodingKeys: String, CodingKey, CaseIterable {
            case pointer, code, detail
        }
    }

    /// The error of one member, such as `/new_password`.
    public func field(_ pointer: String) -> FieldProblem? { fields.first { $0.pointer == pointer } }
}

extension Problem: Decodable {
    enum CodingKeys: String, CodingKey, CaseIterable {
        case code, status, title, detail, reason
        case requestID = "request_id"
        case retryAfter = "retry_after"
        case fields = "errors"
        case mergeTicket = "merge_ticket"
        case widget, type
        case siteKey = "site_key"
    }

    /// Reads a problem document.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        code = try values.decode(ErrorCode.self, forKey: .code)
        status = try values.decode(Int.self, forKey: .status)
        title = try values.decode(String.self, forKey: .title)
        detail = try values.decodeIfPresent(String.self, forKey: .detail)
        requestID = try values.decodeIfPresent(String.self, forKey: .requestID)
        retryAfter = try values.decodeIfPresent(Int.self, forKey: .retryAfter)
        fields = try values.decodeIfPresent([FieldProblem].self, forKey: .fields) ?? []
        reason = try values.decodeIfPresent(String.self, forKey: .reason)
        mergeTicket = try values.decodeIfPresent(Secret.self, forKey: .mergeTicket).map(MergeTicket.init)
        let widget = try values.decodeIfPresent(String.self, forKey: .widget)
        let siteKey = try values.decodeIfPresent(String.self, forKey: .siteKey)
        botCheck =
            if let widget, let siteKey { BotCheckWidget(service: widget, siteKey: siteKey) } else { nil }
    }
}

/// The widget of a bot check: show it, and repeat the call with its answer.
public struct BotCheckWidget: Sendable, Equatable {
    /// `turnstile`, `hcaptcha` or `recaptcha`.
    public let service: String
    /// The operator's account at the service.
    public let siteKey: String
}

/// A refusal of `/v1/token`, in OAuth's form (RFC 6749 section 5.2).
struct OAuthRefusal: Decodable {
    let code: ErrorCode
    let requestID: String?
    let description: String

    enum CodingKeys: String, CodingKey, CaseIterable {
        case code
        case requestID = "request_id"
        case description = "error_description"
        case error
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        code = try values.decode(ErrorCode.self, forKey: .code)
        requestID = try values.decodeIfPresent(String.self, forKey: .requestID)
        description = try values.decode(String.self, forKey: .description)
    }

    func problem(status: Int, retryAfter: Int?) -> Problem {
        Problem(
            code: code, status: status, title: description, detail: nil, requestID: requestID, retryAfter: retryAfter,
            fields: [], mergeTicket: nil, reason: nil, botCheck: nil)
    }
}
