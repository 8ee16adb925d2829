/// What the templates of several pages are filled with.
extension Words {
    /// A card in the middle of the page, which says for which app it is.
    func card(heading: String, client: String, problem: PageProblem?) -> [String: Any] {
        var values: [String: Any] = ["title": "\(text(heading)) – \(client)", "width": "card"]
        values.merge(self.values(of: problem)) { first, _ in first }
        return values
    }

    /// The problem and which field it is about: nothing when there is none.
    func values(of problem: PageProblem?) -> [String: Any] {
        guard let problem else { return [:] }
        var values: [String: Any] = [
            "problem": ["problem_text": sentence("problem.\(problem.code)", problem.arguments)]
        ]
        if let field = problem.field { values["is_about_\(field.rawValue)"] = true }
        return values
    }

    /// The field for a name to sign in with.
    func values(of names: SignInNames) -> [String: Any] {
        ["username_label": text(names.label), "username_mode": names.kinds == [.email] ? "email" : "text"]
    }
}
