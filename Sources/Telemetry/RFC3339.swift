package import FoundationEssentials

/// Formats times in UTC (RFC 3339 section 5.6), without the cost of a formatter.
package enum RFC3339 {
    /// `2026-07-31T09:05:00Z`: whole seconds.
    package static func text(_ date: Date) -> String {
        unsafe String(unsafeUninitializedCapacity: 20) { buffer in
            var text = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
            append(seconds: Int(date.timeIntervalSince1970.rounded(.down)), to: &text)
            text.append(UInt8(ascii: "Z"))
            return unsafe text.finalize(for: buffer)
        }
    }

    /// Appends `2026-07-31T09:05:00.000123Z`: microseconds.
    static func append(_ date: Date, to line: inout [UInt8]) {
        let microseconds = Int((date.timeIntervalSince1970 * 1_000_000).rounded(.down))
        let (seconds, fraction) = floorDivide(microseconds, by: 1_000_000)
        line.append(addingCapacity: 27) { line in
            append(seconds: seconds, to: &line)
            line.append(UInt8(ascii: "."))
            append(fraction / 10_000, to: &line)
            append(fraction / 100 % 100, to: &line)
            append(fraction % 100, to: &line)
            line.append(UInt8(ascii: "Z"))
        }
    }

    private static func append(seconds: Int, to line: inout OutputSpan<UInt8>) {
        let (days, second) = floorDivide(seconds, by: 86_400)
        let day = civil(daysSinceEpoch: days)
        append(day.year / 100, to: &line)
        append(day.year % 100, to: &line)
        append(day.month, to: &line, after: "-")
        append(day.day, to: &line, after: "-")
        append(second / 3_600, to: &line, after: "T")
        append(second / 60 % 60, to: &line, after: ":")
        append(second % 60, to: &line, after: ":")
    }

    /// The Gregorian date of a day counted from 1 January 1970, in eras of 400 years that begin in March.
    package static func civil(daysSinceEpoch days: Int) -> (year: Int, month: Int, day: Int) {
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

    private static func append(_ number: Int, to line: inout OutputSpan<UInt8>, after mark: Unicode.Scalar) {
        line.append(UInt8(ascii: mark))
        append(number, to: &line)
    }

    /// Two digits.
    private static func append(_ number: Int, to line: inout OutputSpan<UInt8>) {
        line.append(UInt8(truncatingIfNeeded: 0x30 + number / 10))
        line.append(UInt8(truncatingIfNeeded: 0x30 + number % 10))
    }
}
