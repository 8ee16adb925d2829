package import FoundationEssentials

/// Dates of mail headers (RFC 5322 §3.3), always in UTC and in English.
package enum MailDate {
    package static func text(_ date: Date) -> String {
        let parts = parts(date)
        return "\(parts.weekday), \(parts.day) \(parts.month) \(parts.year) \(parts.time) +0000"
    }

    /// The pieces in English: a day without a leading zero, a year of four digits.
    package static func parts(_ date: Date) -> (weekday: String, day: Int, month: String, year: String, time: String) {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let days = Int((Double(seconds) / 86_400).rounded(.down))
        let (year, month, day) = civil(daysSince1970: days)
        let time = seconds - days * 86_400
        let weekday = weekdays[((days + 4) % 7 + 7) % 7]
        let clock = "\(padded(time / 3600, 2)):\(padded(time / 60 % 60, 2)):\(padded(time % 60, 2))"
        return (weekday, day, months[month - 1], padded(year, 4), clock)
    }

    /// The proleptic Gregorian date, calculated with years from March so that the leap day comes last.
    package static func civil(daysSince1970: Int) -> (year: Int, month: Int, day: Int) {
        let days = daysSince1970 + 719_468
        let era = (days >= 0 ? days : days - 146_096) / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    package static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }

    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}
