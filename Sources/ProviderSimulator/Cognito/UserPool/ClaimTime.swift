import FoundationEssentials

/// The time in a password claim: `Sat Nov 7 09:05:03 UTC 2026`, the day without a leading zero.
enum ClaimTime {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// Whether a text is such a time, no more than five minutes away.
    static func isTimely(_ text: String, at now: Date) -> Bool {
        guard let date = date(text) else { return false }
        return abs(date.timeIntervalSince(now)) <= 300
    }

    private static func date(_ text: String) -> Date? {
        let parts = text.split(separator: " ", omittingEmptySubsequences: false)
        guard parts.count == 6, parts[4] == "UTC", let month = months.firstIndex(of: String(parts[1])),
            let day = Int(parts[2]), let year = Int(parts[5])
        else { return nil }
        let time = parts[3].split(separator: ":", omittingEmptySubsequences: false)
        guard time.count == 3, time.allSatisfy({ $0.utf8.count == 2 }) else { return nil }
        let clock = time.compactMap { Int($0) }
        guard clock.count == 3 else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        let components = DateComponents(
            year: year, month: month + 1, day: day, hour: clock[0], minute: clock[1], second: clock[2])
        guard let date = calendar.date(from: components), String(day) == parts[2],
            weekdays[calendar.component(.weekday, from: date) - 1] == parts[0]
        else { return nil }
        return date
    }
}
