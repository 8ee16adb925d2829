/// A field of a form with a few values, for one member of a setting.
struct FieldChoice: Sendable {
    let field: String
    let member: String
    /// The first is the default.
    let values: [String]

    /// - Parameter setting: the start of the field's name.
    init(of setting: String, member: String, values: [String]) {
        (field, self.member, self.values) = ("\(setting)_\(member)", member, values)
    }

    /// The label of each value is the message `console.<it>`.
    var labels: [String] { values.map(label) }

    func label(_ value: String) -> String { "\(member).\(value)" }
}
