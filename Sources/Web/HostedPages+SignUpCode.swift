import Clients
import HTTPServer
import Messages
import Pages
import SignIn

/// The page for the code of a sign-up.
extension HostedPages {
    /// The page for entering a code that was just sent.
    func confirmPage(
        _ pending: PendingStep, _ entry: WebEntry, _ call: WebCall, wasResent: Bool = false
    ) -> ConfirmPage {
        confirmPage(pending.flow, SignUpCode(pending.step.delivery), entry, call, wasResent: wasResent)
    }

    func confirmPage(
        _ flow: String, _ sent: SignUpCode, _ entry: WebEntry, _ call: WebCall, wasResent: Bool = false,
        problem: PageProblem? = nil
    ) -> ConfirmPage {
        ConfirmPage(
            clientName: entry.client.name,
            hidden: hidden(call, entry.hidden + [HiddenField(name: "flow", value: flow)] + sent.hidden),
            destination: sent.destination, isText: sent.isText, codeLength: sent.length, wasResent: wasResent,
            backAddress: entry.address(of: "/sign-up"), problem: problem)
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

    init(_ delivery: SentCode?) {
        (destination, length) = (delivery?.destination ?? "", delivery?.codeLength ?? 6)
        isText = delivery?.medium == .sms
    }

    init(_ form: FormBody) {
        destination = String((form["destination"] ?? "").prefix(254))
        length = form["code_length"].flatMap { Int($0) }.map { min(max($0, 4), 12) } ?? 6
        isText = form["medium"] == Medium.sms.rawValue
    }

    var hidden: [HiddenField] {
        [
            HiddenField(name: "destination", value: destination), HiddenField(name: "code_length", value: "\(length)"),
            HiddenField(name: "medium", value: (isText ? Medium.sms : .email).rawValue),
        ]
    }
}
