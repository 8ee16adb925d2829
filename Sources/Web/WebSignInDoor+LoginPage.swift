import Clients
import Foundation
import HTTPServer
import JSON
import Pages
import Sessions
import SignIn
import Vocabulary
import WebAuthn

/// The first page of a sign-in, and the page for the password.
extension WebSignInDoor {
    /// - Parameters:
    ///   - suggestsPasskey: false after a refused passkey, because the browser would present it again.
    ///   - isAnew: whether providers must authenticate the user again.
    func loginPage(
        _ entry: WebEntry, _ call: WebCall, session: SessionSnapshot?, username: String = "",
        problem: PageProblem? = nil, suggestsPasskey: Bool = true, isAnew: Bool = false
    ) -> LoginPage {
        let hidden = hidden(call, entry.hidden)
        let nameForm = nameForm(entry, hidden, username)
        return LoginPage(
            clientName: entry.client.name, nameForm: nameForm,
            ways: SignInWays(
                buttons(entry, isAnew: isAnew), passkeyOffer(entry, hidden, suggestsPasskey),
                usedLast: call.cookies[CookieName.method]),
            problem: problem,
            signedInAs: session.flatMap { session in
                guard entry.isServed(by: session) else { return nil }
                return .init(
                    name: session.account.displayName ?? session.account.email ?? session.account.id.text,
                    continueAddress: "/login/continue", hidden: hidden)
            })
    }

    private func nameForm(
        _ entry: WebEntry, _ hidden: [HiddenField], _ username: String
    ) -> LoginPage.NameForm? {
        let allowsPassword = entry.client.allows(provider: PasswordSignInService.provider)
        let allowsCode = allowsCode(entry.client)
        guard allowsPassword || allowsCode else { return nil }
        return .init(
            hidden: hidden, names: SignInNames(entry.client),
            username: username.isEmpty ? entry.loginHint ?? "" : username,
            asksForPassword: allowsPassword && !allowsCode && flows.passkeyOffer(for: entry.client) == nil,
            signUpAddress: SignUpOffer(entry.client, asked: nil, sendsTexts: sendsTexts).map { _ in
                entry.address(of: "/sign-up")
            },
            offersReset: allowsPassword)
    }

    /// The page for the password of a typed name, with the other first factors.
    func passwordPage(
        _ entry: WebEntry, _ call: WebCall, username: String, problem: PageProblem? = nil
    ) -> PasswordPage {
        let hinted = entry.hinting(username)
        return PasswordPage(
            clientName: entry.client.name,
            hidden: hidden(call, entry.hidden + [HiddenField(name: "username", value: username)]), username: username,
            offersCode: allowsCode(entry.client), passkey: passkeyOffer(entry, hidden(call, entry.hidden), false),
            forgotAddress: hinted.address(of: "/forgot"), backAddress: hinted.address(of: "/login"), problem: problem)
    }

    /// A new challenge for each page view; nil if passkeys are unavailable.
    private func passkeyOffer(
        _ entry: WebEntry, _ hidden: [HiddenField], _ isSuggested: Bool
    ) -> PasskeyOffer? {
        guard let pending = flows.passkeyOffer(for: entry.client), case .passkey(let options, _) = pending.step else {
            return nil
        }
        return .init(
            hidden: hidden + [HiddenField(name: "flow", value: pending.flow)],
            options: options.json.text, isSuggested: isSuggested)
    }

    /// The providers of a page without passkeys.
    func ways(_ entry: WebEntry, _ call: WebCall) -> SignInWays {
        SignInWays(buttons(entry), nil, usedLast: call.cookies[CookieName.method])
    }

    /// A link to each provider that the client allows.
    func buttons(_ entry: WebEntry, isAnew: Bool = false) -> [ProviderButton] {
        let suffix = entry.address(of: "") + (isAnew ? "&prompt=login" : "")
        return web.choices(for: entry.client).map { choice in
            ProviderButton(id: choice.id, name: choice.name, address: "/login/\(choice.id)\(suffix)")
        }
    }
}
