import Logging
import Outbound

/// The identifiers by which Microsoft's support finds a call.
///
/// They come from outside and go to the log, so values outside the documented form are left out. The description of an
/// error may contain personal data and is never logged.
struct MicrosoftTrace: Equatable, Sendable {
    let traceID: String?
    let correlationID: String?
    let timestamp: String?

    init(_ members: MicrosoftMembers) {
        traceID = Self.identifier(members.text("trace_id"))
        correlationID = Self.identifier(members.text("correlation_id"))
        timestamp = members.text("timestamp").flatMap { Self.isTime($0) ? $0 : nil }
    }

    static func identifier(_ text: String?) -> String? {
        text.map { $0.lowercased() }.flatMap { MicrosoftProvider.isGUID($0) ? $0 : nil }
    }

    /// A word of the API; other words are not logged.
    static func word(_ text: String) -> String? {
        let isWord =
            (1...64).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F }
        return isWord ? text : nil
    }

    /// `2022-11-18 12:00:00Z`, or with a `T`.
    private static func isTime(_ text: String) -> Bool {
        (10...40).contains(text.utf8.count)
            && text.utf8.allSatisfy { (0x30...0x39).contains($0) || " TZ:-+.".utf8.contains($0) }
    }
}

extension MicrosoftAPI {
    /// Logs a refusal of the API, for requests to Microsoft's support.
    func note(_ operation: Operation, _ response: HTTPResponse, _ refusal: MicrosoftRefusal?) {
        guard refusal != nil || response.status != 200 else { return }
        var facts: Logger.Metadata = ["operation": "\(operation.rawValue)", "status": "\(response.status)"]
        facts["request_id_there"] = MicrosoftTrace.identifier(response.header("x-ms-request-id")).map { "\($0)" }
        guard let refusal else {
            return upstream.logger.warning("Microsoft gives no answer", metadata: facts)
        }
        facts["error"] = MicrosoftTrace.word(refusal.error).map { "\($0)" }
        facts["suberror"] = MicrosoftTrace.word(refusal.suberror).map { "\($0)" }
        facts["error_codes"] = "\(refusal.codes.prefix(8).map(String.init).joined(separator: " "))"
        facts["trace_id"] = refusal.trace.traceID.map { "\($0)" }
        facts["correlation_id"] = refusal.trace.correlationID.map { "\($0)" }
        facts["refused_at"] = refusal.trace.timestamp.map { "\($0)" }
        upstream.logger.log(level: refusal.meaning.level, "Microsoft refuses a call", metadata: facts)
    }
}

extension MicrosoftRefusal.Meaning {
    /// Logs faults of the operator or Microsoft as warnings and faults of the user as notes.
    ///
    /// A refusal that merely leads to the next step is logged at debug level.
    fileprivate var level: Logger.Level {
        switch self {
        case .misconfigured, .unavailable: .warning
        case .secondFactorRequired, .registrationRequired, .resetRequired, .passwordRequired, .attributesRequired:
            .debug
        case .end, .refusal, .credentials, .userUnknown, .noPassword, .contactBlocked, .parameter, .browser: .info
        }
    }
}
