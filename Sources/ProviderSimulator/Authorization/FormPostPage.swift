/// The page that posts an answer to the redirect address, across sites; by script, or by its button.
struct FormPostPage: Sendable {
    let action: String
    let fields: [FormField]

    var answer: Answer {
        let body = """
            <h1>Back to the app</h1>
            <form id="answer" method="post" action="\(HTMLPage.escaped(action))">
            \(fields.map(\.hiddenInput).joined(separator: "\n"))
            <button id="continue" class="main">Continue</button>
            </form>
            <script>document.getElementById("answer").submit()</script>
            """
        return HTMLPage(title: "Back to the app", colour: "#1c1c1e", body: body, hasScript: true).answer
    }
}
