/// Lifetimes in a form: a number and its unit.
extension ClientFields {
    static let lives = ["access_token_seconds", "refresh_idle_seconds", "refresh_max_seconds"]
    /// Every setting with a length of time.
    static let spans = lives + ["claims_refresh_seconds"]
    /// Largest first; the label of each is the message `console.unit.<it>`.
    static let units = [("days", 86_400), ("hours", 3_600), ("minutes", 60), ("seconds", 1)]

    /// The field with the unit of a setting.
    static func unit(of name: String) -> String { "\(name)_unit" }

    /// The seconds of a number in a unit; text that is no number stays, and the services refuse it.
    static func seconds(_ text: String, unit: String?) -> String {
        let factor = units.first { $0.0 == unit }?.1 ?? 1
        guard let number = Int(text.filter { !$0.isWhitespace }) else { return text }
        let (seconds, isTooLarge) = number.multipliedReportingOverflow(by: factor)
        return isTooLarge ? text : "\(seconds)"
    }

    /// A length of time in its largest unit without a rest.
    static func parts(ofSeconds text: String) -> (number: String, unit: String) {
        guard let seconds = Int(text), seconds > 0, let unit = units.first(where: { seconds % $0.1 == 0 }) else {
            return (text, "seconds")
        }
        return ("\(seconds / unit.1)", unit.0)
    }
}
