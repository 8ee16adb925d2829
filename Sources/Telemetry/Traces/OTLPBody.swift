import JSON
import Traces

/// A span with its trace and its times, ready for export.
struct ExportedSpan: Sendable {
    let traceID: TraceID
    let state: String?
    let span: TraceSpan
    /// Nanoseconds since 1970.
    let start: Int
    let end: Int
}

/// The body of `POST /v1/traces`: OTLP 1.x in JSON.
enum OTLPBody {
    /// - Parameter host: the name of this server.
    static func json(_ spans: [ExportedSpan], host: String) -> JSON {
        let resource: JSON = [
            attribute("service.name", .text("login-gateway")), attribute("service.instance.id", .text(host)),
        ]
        let scope: JSON = ["scope": ["name": "login-gateway"], "spans": .array(spans.map(span))]
        return ["resourceSpans": [["resource": ["attributes": resource], "scopeSpans": [scope]]]]
    }

    private static func span(_ exported: ExportedSpan) -> JSON {
        let span = exported.span
        var members: JSONObject = [
            "traceId": .string(exported.traceID.text), "spanId": .string(HexNumber.text(span.id)),
            "name": .string(span.name), "kind": .integer(span.kind.rawValue),
            // 64-bit numbers are strings in JSON of Protocol Buffers.
            "startTimeUnixNano": .string(String(exported.start)), "endTimeUnixNano": .string(String(exported.end)),
            "attributes": .array(span.attributes.map { attribute($0.name, $0.value) }),
            "status": span.hasFailed ? ["code": 2] : [:],
        ]
        if span.parent != 0 { members["parentSpanId"] = .string(HexNumber.text(span.parent)) }
        if let state = exported.state { members["traceState"] = .string(state) }
        return .object(members)
    }

    private static func attribute(_ name: String, _ value: TraceSpan.Attribute) -> JSON {
        switch value {
        case .text(let text): ["key": .string(name), "value": ["stringValue": .string(text)]]
        case .number(let number): ["key": .string(name), "value": ["intValue": .string(String(number))]]
        }
    }
}
