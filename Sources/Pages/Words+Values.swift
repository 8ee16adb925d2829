/// Template values that several pages share.
extension Words {
    /// The central card of a page, with the app's name.
    package func card(
        heading: String, client: String, problem: PageProblem?, fields: Set<FormField> = []
    ) -> [String: Any] {
        var values: [String: Any] = ["title": "\(text(heading)) – \(client)", "width": "card"]
        values.merge(self.values(of: problem, fields: fields)) { first, _ in first }
        return values
    }

    /// The problem and its field; empty without one.
    ///
    /// - Parameter fields: those that show their own problem. Any other problem appears above the form.
    package func values(of problem: PageProblem?, fields: Set<FormField> = []) -> [String: Any] {
        guard let problem else { return [:] }
        var values: [String: Any] = [
            "problem": [
                "problem_text": sentence("problem.\(problem.code)", problem.arguments),
                // To wait is no mistake.
                "is_wait": problem.code == ProblemCode.resendTooSoon.rawValue,
            ] as [String: Any]
        ]
        if let field = problem.field { values["is_about_\(field.rawValue)"] = true }
        values["is_about_no_field"] = problem.field.map { !fields.contains($0) } ?? true
        return values
    }
}
