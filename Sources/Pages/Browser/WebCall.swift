package import Clients
import Foundation
package import HTTPServer
import HTTPTypes
package import Hummingbird
package import Sessions
package import SignIn
package import Vocabulary

/// Asks the user of a session for a second factor, and leads to the target afterwards.
package typealias RaisingSessions =
    @Sendable (SessionSnapshot, LoginTarget.Asked, inout WebCall) async throws(Rejection) -> Response

/// One call of a browser: its caller, language and cookies, and the cookies of the answer.
package struct WebCall: LoggedCall, Sendable {
    package var logged: DoorCall
    package let cookies: RequestCookies
    let headers: HTTPFields
    /// The value that binds forms and tickets to this browser; new if the request had none.
    package let browser: String
    /// Whether the answer must set the cookie for ``browser``.
    private let isNewBrowser: Bool
    private let method: HTTPRequest.Method
    /// Whether another site's page sent this request, so that the browser may have withheld its cookies.
    package var isCrossSite: Bool
    package var language: Language
    /// The requested `ui_locales`, kept from page to page.
    package var locales: String?
    /// The cookies of the answer, also of a refusal.
    package var setCookies: [SetCookie] = []
    /// The parameters of the entry, once they are known.
    package var entry: WebEntry?
    /// The refusal for the app, if the app's own request was wrong.
    package var refusal: AuthorizationRefusal?
    /// Makes the additional targets of forms in the answer.
    ///
    /// Most answers are no page, so only a page calls it.
    package var formTargets: @Sendable () -> [String] = { [] }
    /// The bot check that the page shows.
    package var botWidget: BotWidget?
    /// Whether the address contains a provider's code, which no later page may receive in a `Referer`.
    package var hidesAddress = false

    package init(_ action: String, _ request: Request, _ context: GatewayContext, _ tokens: FormTokens) {
        logged = DoorCall(action, request, context)
        headers = request.headers
        cookies = RequestCookies(request.headers)
        language = logged.caller.language.flatMap(Language.init(rawValue:)) ?? .english
        let held = cookies[CookieName.form].flatMap { FormTokens.isBrowser($0) ? $0 : nil }
        (browser, isNewBrowser) = (held ?? tokens.newBrowser(), held == nil)
        method = request.method
        isCrossSite = request.headers.value(.secFetchSite) == "cross-site"
    }

    /// The cookies of the answer.
    ///
    /// A cross-site post comes without the browser's form cookie. The answer must not replace that cookie.
    package var cookiesToSet: [SetCookie] {
        guard isNewBrowser, !isCrossSite || method == .get else { return setCookies }
        return [SetCookie(name: CookieName.form, value: browser, sameSite: .lax, life: nil)] + setCookies
    }

    /// Whether an operator acts for a user in this browser.
    package var isImpersonating: Bool { cookies[CookieName.operatorSession] != nil }

    /// The caller; messages to the user are in the language of the page.
    package var caller: Caller {
        var caller = logged.caller
        caller.language = language.rawValue
        return caller
    }

    /// Takes the language, the client and the form targets from the entry.
    package mutating func setEntry(_ entry: WebEntry) {
        self.entry = entry
        logged.clientID = entry.client.id
        formTargets = { entry.formTargets }
        locales = entry.locales
        language = Language.preferred(
            uiLocales: entry.locales, acceptLanguage: headers.value(.acceptLanguage))
    }

    /// The app of a page that is no part of a sign-in, and the address to which the page's forms finally lead.
    package mutating func setApp(_ client: Client, answersAt address: RedirectURI) {
        logged.clientID = client.id
        formTargets = { client.formTargets(endingAt: address) }
    }

    mutating func isBy(_ session: SessionSnapshot, isHarmless: Bool) throws(Rejection) {
        try logged.isBy(session, isHarmless: isHarmless)
    }
}
