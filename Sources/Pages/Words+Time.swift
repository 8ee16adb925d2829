import HTTPServer

/// Times in the words of a language.
extension Words {
    /// `30 seconds`, `5 minutes`: rounded up, so that a retry is never too early.
    ///
    /// Other text is left unchanged.
    package func duration(seconds text: String) -> String {
        guard let seconds = Int(text), seconds >= 0 else { return text }
        return switch seconds {
        case ...90: duration(seconds, "seconds")
        case ...5400: duration((seconds - 1) / 60 + 1, "minutes")
        default: duration((seconds - 1) / 3600 + 1, "hours")
        }
    }

    /// `30 days`, `90 minutes`: exact, in the largest unit without a rest; other text is left unchanged.
    package func span(seconds text: String) -> String {
        guard let seconds = Int(text), seconds > 0 else { return text }
        let units = [("days", 86_400), ("hours", 3_600), ("minutes", 60)]
        let unit = units.first { seconds % $0.1 == 0 } ?? ("seconds", 1)
        return duration(seconds / unit.1, unit.0)
    }

    /// `14 days`; text that is not a whole number is left unchanged.
    package func days(_ text: String) -> String {
        guard let days = Int(text), days >= 0 else { return text }
        return duration(days, "days")
    }

    private func duration(_ count: Int, _ unit: String) -> String {
        text("duration.\(unit).\(PluralForm(count, in: language).rawValue)", ["count": String(count)])
    }

    /// The day of an RFC 3339 time: `21 November 2026`; other text is left unchanged.
    func date(_ text: String) -> String {
        let parts = text.prefix(10).split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], let year = Int(parts[0]), let month = Int(parts[1]),
            let day = Int(parts[2]), (1...12).contains(month), (1...31).contains(day)
        else { return text }
        return self.text(
            "date", ["day": String(day), "month": self.text("month.\(month)"), "year": String(year)])
    }
}

extension Words {
    /// An RFC 3339 time in UTC to the minute: `21 November 2026, 13:14 UTC`; other text is left unchanged.
    package func moment(_ text: String) -> String { moment(text, length: 5) }

    /// The same to the second: `21 November 2026, 13:14:05 UTC`.
    package func exactMoment(_ text: String) -> String { moment(text, length: 8) }

    /// - Parameter length: the characters of the time of day.
    private func moment(_ text: String, length: Int) -> String {
        let time = text.dropFirst(11).prefix(length)
        guard text.hasSuffix("Z"), time.count == length else { return text }
        return self.text("moment", ["date": date(text), "time": String(time)])
    }
}

/// The plural forms of a noun (Unicode's plural rules for whole numbers).
///
/// Each catalogue has all three, though only Russian distinguishes `few` from `many`.
enum PluralForm: String, CaseIterable {
    case one, few, many

    init(_ count: Int, in language: Language) {
        guard language == .russian else {
            self = count == 1 ? .one : .many
            return
        }
        switch (count % 10, count % 100) {
        case (_, 11...14): self = .many
        case (1, _): self = .one
        case (2...4, _): self = .few
        default: self = .many
        }
    }
}
