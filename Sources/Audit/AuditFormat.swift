import Cryptography
import Foundation
package import JSON

/// Export formats of the log, the same for the command line and the API.
package enum AuditFormat: String, Sendable, CaseIterable {
    /// RFC 4180, with a header line.
    case csv
    /// One JSON object per line.
    case jsonLines = "jsonl"

    /// The text before the rows.
    package var opening: String {
        self == .csv ? AuditEvent.columnNames.joined(separator: ",") + "\r\n" : ""
    }

    package func text(_ events: [AuditEvent]) -> String {
        events.map { self == .csv ? Self.csvLine($0) : $0.json.text + "\n" }.joined()
    }

    private static func csvLine(_ event: AuditEvent) -> String {
        event.fields.map { cell($0.text ?? "") }.joined(separator: ",") + "\r\n"
    }

    /// A cell that a spreadsheet would read as a formula gets an apostrophe, because callers choose some of the texts.
    static func cell(_ text: String) -> String {
        let starts: [UInt8] = [0x3D, 0x2B, 0x2D, 0x40, 0x09, 0x0D, 0x0A]
        let harmless = text.utf8.first.map(starts.contains) == true ? "'" + text : text
        let needsQuotes = harmless.utf8.contains { [0x22, 0x2C, 0x0D, 0x0A].contains($0) }
        guard needsQuotes || harmless.first == " " || harmless.last == " " else { return harmless }
        return "\"" + harmless.replacing("\"", with: "\"\"") + "\""
    }
}

extension AuditEvent {
    /// The columns in order, as texts.
    var fields: [(name: String, text: String?)] {
        let texts = [
            String(id), at.microsecondText, action, outcome, reason, accountID?.text, identityID?.text,
            sessionID?.text, clientID, provider, address, requestID, detail, actorID?.text, words,
        ]
        return zip(Self.columnNames, texts).map { ($0, $1) }
    }

    /// The columns by name; null if empty, `detail` unchanged.
    package var json: JSON {
        var object = JSONObject()
        for (name, text) in fields { object[name] = text.map { .string($0) } ?? .null }
        object["id"] = .integer(id)
        if let detail { object["detail"] = (try? JSON(parsing: detail)) ?? .string(detail) }
        return .object(object)
    }
}

extension Date {
    /// `2026-07-31T09:05:00.000123Z`.
    var microsecondText: String {
        let fraction = (microseconds % 1_000_000 + 1_000_000) % 1_000_000
        let whole = Date(microseconds: microseconds - fraction).formatted(.iso8601)
        let digits = String(fraction)
        return whole.dropLast() + "." + String(repeating: "0", count: 6 - digits.count) + digits + "Z"
    }
}
