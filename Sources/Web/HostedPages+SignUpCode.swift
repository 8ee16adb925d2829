import Clients
import HTTPServer
import Messages
import Pages
import SignIn

/// The page for the code of a sign-up.
extension HostedPages {
    /// The page for entering a code that was just sent.
    ///
    /// - Parameter form: the previous form, whose address the page shows.
    func confirmPage(
        _ pending: PendingStep, _ form: FormBody?, _ entry: WebEntry, _ call: WebCall, wasResent: Bool = false
    ) -> ConfirmPage {
        let sent = SignUpCode(pending.step.delivery, typed: form)
        return confirmPage(pending.flow, sent, entry, call, wasResent: wasResent)
    }

    func confirmPage(
        _ flow: String, _ sent: SignUpCode, _ entry: WebEntry, _ call: WebCall, wasResent: Bool = false,
        problem: PageProblem? = nil
    ) -> ConfirmPage {
        ConfirmPage(
            clientName: entry.client.name,
            hidden: hidden(call, entry.hidden + [HiddenField(name: "flow", value: flow)] + sent.hidden),
            destination: sent.destination, isText: sent.isText, codeLength: sent.length, wasResent: wasResent,
            backAddress: entry.hinting(sent.typed).address(of: "/sign-up"), problem: problem)
    }

    /// Whether a code may replace a password.
    func allowsCode(_ client: Client) -> Bool {
        ["email_otp", "sms_otp"].contains { client.allows(provider: $0) }
    }
}

/// The page's description of the message.
///
/// The form returns it and only its sender sees it. It decides nothing.
struct SignUpCode {
    let destination: String
    let isText: Bool
    let length: Int

    /// - Parameter form: of this browser; its address takes the place of the masked one.
    init(_ delivery: SentCode?, typed form: FormBody?) {
        let typed = form.flatMap { delivery?.typedDestination(in: $0) }
        (destination, length) = (typed ?? delivery?.destination ?? "", delivery?.codeLength ?? 6)
        isText = delivery?.medium == .sms
    }

    init(_ form: FormBody) {
        destination = String((form["destination"] ?? "").prefix(254))
        length = form["code_length"].flatMap { Int($0) }.map { min(max($0, 4), 12) } ?? 6
        isText = form["medium"] == Medium.sms.rawValue
    }

    /// The address that this browser typed; nil for a masked one.
    var typed: String? { Destination(isText ? .sms : .email, destination)?.text }

    var hidden: [HiddenField] {
        [
            HiddenField(name: "destination", value: destination), HiddenField(name: "code_length", value: "\(length)"),
            HiddenField(name: "medium", value: (isText ? Medium.sms : .email).rawValue),
        ]
    }
}

extension SentCode {
    /// The address in a form of this browser to which the code went.
    ///
    /// Nil if the form has no such address. Another browser may have typed it, so the page shows the masked one.
    func typedDestination(in form: FormBody) -> String? {
        ["email", "phone", "username", "destination"].lazy
            .compactMap { name in form[name].flatMap { Destination(medium, $0) } }
            .first { $0.masked == destination }?.text
    }
}
