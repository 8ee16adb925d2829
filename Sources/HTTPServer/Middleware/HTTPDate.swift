import FoundationEssentials
import HTTPTypes
import Synchronization
import Telemetry

/// A moment in the format of `Date` headers (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let days = ["Thu, ", "Fri, ", "Sat, ", "Sun, ", "Mon, ", "Tue, ", "Wed, "].map { Array($0.utf8) }
    private static let months = [
        " Jan ", " Feb ", " Mar ", " Apr ", " May ", " Jun ", " Jul ", " Aug ", " Sep ", " Oct ", " Nov ", " Dec ",
    ].map { Array($0.utf8) }
    private static let zone = Array(" GMT".utf8)

    static func text(at date: Date) -> String {
        let second = Int(date.timeIntervalSince1970.rounded(.down))
        let day = second / 86_400
        let (year, month, dayOfMonth) = RFC3339.civil(daysSinceEpoch: day)
        var text = days[day % 7]
        text.reserveCapacity(29)
        append(dayOfMonth, to: &text)
        text += months[month - 1]
        append(year / 100, to: &text)
        append(year % 100, to: &text)
        let clock: [(Unicode.Scalar, Int)] = [(" ", second / 3_600 % 24), (":", second / 60 % 60), (":", second % 60)]
        for (before, number) in clock {
            text.append(UInt8(ascii: before))
            append(number, to: &text)
        }
        return String(decoding: text + zone, as: UTF8.self)
    }

    /// Two digits.
    private static func append(_ number: Int, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "0") + UInt8(number / 10))
        text.append(UInt8(ascii: "0") + UInt8(number % 10))
    }
}

/// The `Date` header of now.
///
/// Every answer has one, so it is written once a second.
final class HTTPDateClock: Sendable {
    private let last = Mutex<(second: Int, field: HTTPField)>((.min, HTTPField(name: .date, value: "")))

    func field(at date: Date) -> HTTPField {
        let second = Int(date.timeIntervalSince1970.rounded(.down))
        return last.withLock { last in
            if last.second != second { last = (second, HTTPField(name: .date, value: HTTPDate.text(at: date))) }
            return last.field
        }
    }
}
