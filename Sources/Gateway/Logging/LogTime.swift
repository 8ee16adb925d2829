import FoundationEssentials

/// Writes points in time as RFC 3339 in UTC with microseconds, without a formatter's cost.
enum LogTime {
    /// Appends `2026-07-31T09:05:00.000123Z`.
    static func append(_ date: Date, to line: inout [UInt8]) {
        let microseconds = Int((date.timeIntervalSince1970 * 1_000_000).rounded(.down))
        let (seconds, fraction) = floorDivide(microseconds, by: 1_000_000)
        let (days, second) = floorDivide(seconds, by: 86_400)
        let day = civil(daysSinceEpoch: days)
        append(day.year, digits: 4, to: &line)
        line.append(UInt8(ascii: "-"))
        append(day.month, digits: 2, to: &line)
        line.append(UInt8(ascii: "-"))
        append(day.day, digits: 2, to: &line)
        line.append(UInt8(ascii: "T"))
        append(second / 3_600, digits: 2, to: &line)
        line.append(UInt8(ascii: ":"))
        append(second / 60 % 60, digits: 2, to: &line)
        line.append(UInt8(ascii: ":"))
        append(second % 60, digits: 2, to: &line)
        line.append(UInt8(ascii: "."))
        append(fraction, digits: 6, to: &line)
        line.append(UInt8(ascii: "Z"))
    }

    /// The Gregorian date of a day counted from 1 January 1970, in eras of 400 years that begin in March.
    static func civil(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
        let (era, dayOfEra) = floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shifted + 2) / 5 + 1)
    }

    private static func floorDivide(_ value: Int, by divisor: Int) -> (Int, Int) {
        let remainder = ((value % divisor) + divisor) % divisor
        return ((value - remainder) / divisor, remainder)
    }

    private static func append(_ number: Int, digits: Int, to line: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        for _ in 0..<digits {
            line.append(UInt8(truncatingIfNeeded: 0x30 + number / divisor % 10))
            divisor /= 10
        }
    }
}
