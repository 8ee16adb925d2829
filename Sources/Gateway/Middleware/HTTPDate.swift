import FoundationEssentials

/// A moment in the format of `Date` headers (RFC 9110 section 5.6.7).
enum HTTPDate {
    private static let days = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    static func text(at date: Date) -> String {
        let second = Int(date.timeIntervalSince1970.rounded(.down))
        let day = second / 86_400
        let (year, month, dayOfMonth) = RFC3339.civil(daysSinceEpoch: day)
        let time = [second / 3_600 % 24, second / 60 % 60, second % 60].map(twoDigits).joined(separator: ":")
        return "\(days[day % 7]), \(twoDigits(dayOfMonth)) \(months[month - 1]) \(year) \(time) GMT"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
}
