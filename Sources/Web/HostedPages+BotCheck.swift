import Clients
import HTTPServer
import Hummingbird
import Pages
import SignIn
import Vocabulary

/// Bot checks on pages.
extension HostedPages {
    /// The answer of the widget in a form, which has a name of the widget's own.
    func botToken(_ form: FormBody, _ client: Client) -> String? {
        flows.botWidget(for: client).flatMap { form[$0.kind.field] }.flatMap {
            $0.utf8.count <= BotToken.longest ? $0 : nil
        }
    }

    /// The widget of a page that the user sees first; nil unless each request of the app needs a check.
    func firstBotWidget(for client: Client) -> BotWidget? {
        client.botCheck == .always ? flows.botWidget(for: client) : nil
    }

    /// The widget of a form that is shown again.
    ///
    /// The answer in the form was used, so the next request needs another one.
    func botWidget(after rejection: Rejection, _ form: FormBody, _ client: Client) -> BotWidget? {
        let isAsked = rejection.asksForBotCheck || botToken(form, client) != nil
        return isAsked ? flows.botWidget(for: client) : nil
    }

    /// The page with the check alone; its form repeats the refused one.
    ///
    /// Nil for another refusal.
    func botCheckPage(
        at address: String, _ form: FormBody, _ entry: WebEntry, _ rejection: Rejection, _ call: WebCall
    ) -> Response? {
        guard rejection.asksForBotCheck else { return nil }
        record(rejection, call)
        var call = call
        call.botWidget = flows.botWidget(for: entry.client)
        let repeated = Self.repeated.compactMap { name in form[name].map { HiddenField(name: name, value: $0) } }
        let problem = PageProblem(rejection.code)
        let page = BotCheckPage(
            clientName: entry.client.name, action: address, hidden: hidden(call, entry.hidden + repeated),
            backAddress: entry.address(of: "/login"),
            problem: problem.code == ProblemCode.botCheckRequired.rawValue ? nil : problem)
        return show(page, call, status: WebRefusal(rejection).status)
    }

    /// The fields that a request for a code can have, besides those of the entry; no secret is one.
    private static var repeated: [String] {
        [
            "username", "with", "flow", "factor", "link_flow", "masked_email", "link_provider", "destination",
            "code_length", "medium",
        ]
    }
}
