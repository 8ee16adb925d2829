@testable import Pages
@testable import Web

extension SamplePages {
    /// A step with all its parts, and a problem.
    func step(_ kind: StepPage.Kind, problem: PageProblem? = PageProblem("throttled", ["seconds": "45"])) -> StepPage {
        StepPage(
            clientName: text("Duck Shop"), kind: kind, door: door(of: kind), hidden: hidden,
            destination: text("a•••@e•••.com"), codeLength: 6, minimumLength: 8,
            choices: [
                StepPage.Choice(id: text("c1"), kind: "sms", hint: text("+49 ••• 17")),
                StepPage.Choice(id: text("c2"), kind: "recovery_code", hint: nil),
                StepPage.Choice(id: text("c3"), kind: text("no such kind"), hint: nil),
            ],
            authenticator: kind == .authenticatorSetUp
                ? StepPage.Authenticator(
                    secret: text("JBSW Y3DP"), address: address("otpauth://totp/Shop:ann?secret=JBSWY3DP"), side: 33,
                    path: text("M4 4h7v1H4z"))
                : nil,
            passkeyOptions: text(#"{"challenge":"AAAA"}"#), question: text("Your first pet?"),
            username: text("ann@example.com"),
            attributes: [.newPassword, .attributes].contains(kind)
                ? [
                    StepPage.Attribute(name: text("givenName"), label: .known(.givenName), value: text("Ann")),
                    StepPage.Attribute(name: text("team"), label: .other(text("team")), value: text("Blue")),
                ] : [],
            onwardAddress: kind == .elsewhere
                ? address("https://login.example.org/") : kind == .waiting ? address("/login/step?ticket=AAAA") : nil,
            refreshAfter: kind == .waiting ? 2 : nil,
            code: text("123456"),
            email: text("ann@example.com"), phone: text("+4915112345678"), isTyped: true, wasResent: true,
            offersRemembering: true, isRemembering: true, helps: true,
            backAddress: address("/login?client_id=shop"), problem: problem)
    }

    private func door(of kind: StepPage.Kind) -> StepPage.Door {
        switch kind {
        case .passkeySetUp: .account
        case .newAddress, .newNumber: .newAddress
        default: .signIn
        }
    }

    func recoveryCodes(onwardAddress: String?) -> RecoveryCodesPage {
        RecoveryCodesPage(
            clientName: text("Duck Shop"),
            codes: ["abcd-efgh-ijkl-mnop-qrst-uvwx", "klmn-opqr-stuv-wxyz-2345-6723"].map(text), hidden: hidden,
            onwardAddress: onwardAddress, problem: PageProblem("throttled", ["seconds": "45"]))
    }
}
