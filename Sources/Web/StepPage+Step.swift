import HTTPServer
import JSON
import Pages
import SignIn
import Vocabulary
import WebAuthn

extension StepPage {
    /// The page of a pending step.
    ///
    /// - Throws: `internalError` for a step that has a page of its own.
    init(
        _ step: SignInStep, isLedByProvider: Bool = false, clientName: String, door: Door, hidden: [HiddenField],
        minimumLength: Int,
        onwardAddress: String? = nil, backAddress: String, typed: FormBody? = nil, wasResent: Bool = false,
        problem: PageProblem? = nil
    ) throws(Rejection) {
        guard let form = StepForm(step, isLedByProvider: isLedByProvider) else { throw .internalError }
        // The page does not repeat a wrong code.
        let isCodeWrong = problem.flatMap { ProblemCode(rawValue: $0.code) }?.field == .code
        // The name of the sign-in is no address of a second factor.
        let sentTo = form.isSecondFactor ? nil : typed.flatMap { form.delivery?.typedDestination(in: $0) }
        self.init(
            clientName: clientName, kind: form.kind, door: door, hidden: hidden,
            destination: sentTo ?? form.delivery.flatMap { $0.destination.isEmpty ? nil : $0.destination },
            codeLength: form.delivery?.codeLength ?? 6,
            minimumLength: minimumLength,
            choices: form.options.choices.map { Choice(id: $0.id, kind: $0.kind.rawValue, hint: $0.hint) },
            authenticator: try form.totp.map { (secret) throws(Rejection) in try Authenticator(secret) },
            passkeyOptions: form.passkey?.json.text ?? "", question: form.question,
            username: typed?["username"] ?? "",
            attributes: form.attributes.map { name in
                Attribute(
                    name: name, label: KnownAttribute(named: name).map(AttributeLabel.known) ?? .other(name),
                    value: typed?[Attribute.prefix + name] ?? "")
            },
            onwardAddress: onwardAddress, refreshAfter: form.refreshAfter,
            code: form.kind.asksForNewPassword && !isCodeWrong ? typed?["code"] ?? "" : "",
            email: typed?["email"] ?? "", phone: typed?["phone"] ?? "",
            isTyped: sentTo != nil, wasResent: wasResent, offersRemembering: form.options.offersRemembering,
            isRemembering: typed?["remember_device"] == "true", helps: form.isSecondFactor, backAddress: backAddress,
            problem: problem)
    }
}

extension StepPage.Authenticator {
    fileprivate init(_ totp: TOTPSecret) throws(Rejection) {
        guard let code = try? QRCode(totp.uri) else { throw .internalError }
        let letters = Array(totp.secret)
        let groups = stride(from: 0, to: letters.count, by: 4).map { String(letters[$0..<min($0 + 4, letters.count)]) }
        self.init(secret: groups.joined(separator: " "), address: totp.uri, side: code.side, path: code.path)
    }
}
