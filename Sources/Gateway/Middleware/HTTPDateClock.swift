import FoundationEssentials
import Synchronization

/// The time as `Date` headers have it (RFC 9110 section 5.6.7), put into words once a second.
final class HTTPDateClock: Sendable {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    private let last = Mutex<(second: Int, text: String)>((second: .min, text: ""))

    var now: String { text(at: Date()) }

    func text(at date: Date) -> String {
        let second = Int(date.timeIntervalSince1970.rounded(.down))
        return last.withLock { last in
            if last.second != second { last = (second, Self.format(second)) }
            return last.text
        }
    }

    private static func format(_ second: Int) -> String {
        let day = second / 86_400
        let (year, month, dayOfMonth) = RFC3339.civil(daysSinceEpoch: day)
        let time = [second / 3_600 % 24, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(days[day % 7]), \(twoDigits(dayOfMonth)) \(months[month - 1]) \(year) \(time) GMT"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
