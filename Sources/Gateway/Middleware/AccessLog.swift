import FoundationEssentials
import Hummingbird
import Logging

/// One line for each answered request: method, route, status, microseconds, bytes.
///
/// No query, no address, no user agent.
///
/// It writes to the sink directly: the line's shape is fixed, and it is written for every request.
struct AccessLog: Sendable {
    private let sink: LogSink
    private let format: LogFormat
    private let isInfoOn: Bool
    private let isNoticeOn: Bool

    init(_ configuration: LoggingConfiguration, sink: LogSink = .standardError) {
        self.sink = sink
        format = configuration.format
        isInfoOn = configuration.level <= .info
        isNoticeOn = configuration.level <= .notice
    }

    /// Failures of ours are of level notice, all else info.
    func record(
        _ request: Request, _ response: Response, route: String?, requestID: String, microseconds: Int
    ) {
        let failed = response.status.code >= 500
        guard failed ? isNoticeOn : isInfoOn else { return }
        var line = LogLine(
            format, at: Date(), level: failed ? .notice : .info, label: "gateway.access", message: "request")
        line.field("request_id", requestID)
        line.field("method", Self.method(request))
        line.field("route", route ?? "none")
        line.field("status", response.status.code)
        line.field("microseconds", microseconds)
        line.field("bytes", response.body.contentLength ?? 0)
        line.finish()
        sink.line { $0.append(contentsOf: line.bytes) }
    }

    /// Methods that nobody has heard of are words from outside.
    private static func method(_ request: Request) -> String {
        let name = request.method.rawValue
        return name.utf8.count <= 10 ? name : "other"
    }
}
