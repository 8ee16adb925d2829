import Accounts
import Foundation
import HTTPTypes
import Hummingbird
import Sessions

/// One call of a browser: who asks, in which language, with which cookies, and what it is to remember afterwards.
struct WebCall: Sendable {
    var call: DoorCall
    let cookies: RequestCookies
    let headers: HTTPFields
    /// What binds forms and tickets to this browser; new where it sent none.
    let browser: String
    /// Whether ``browser`` has to be told to it.
    private let isNewBrowser: Bool
    private let method: HTTPRequest.Method
    /// Whether another site's page sent this, so that cookies which this browser has did not come along.
    var isCrossSite: Bool
    var language: Language
    /// What was asked for by `ui_locales`, to be kept from page to page.
    var locales: String?
    /// Set on the answer, whatever it is.
    var setCookies: [SetCookie] = []
    /// With what the person came; known late, and not always.
    var entry: WebEntry?
    /// What the app is told, where it is the app that asked wrongly.
    var refusal: AuthorizationRefusal?
    /// Where forms of the answer may lead, beside here.
    var formTargets: [String] = []
    /// Whether the address holds a provider's code, which no later page shall learn from a `Referer`.
    var hidesAddress = false

    init(_ request: Request, _ context: GatewayContext, _ tokens: FormTokens) {
        call = DoorCall(request, context)
        headers = request.headers
        cookies = RequestCookies(request.headers)
        language = Language.preferred(uiLocales: nil, acceptLanguage: request.headers.value(.acceptLanguage))
        let held = cookies[CookieName.form].flatMap { FormTokens.isBrowser($0) ? $0 : nil }
        (browser, isNewBrowser) = (held ?? tokens.newBrowser(), held == nil)
        method = request.method
        isCrossSite = request.headers.value(.secFetchSite) == "cross-site"
    }

    /// The cookies of the answer.
    ///
    /// A browser that posts from elsewhere may well have a form cookie that it didn't send: it keeps that one.
    var cookiesToSet: [SetCookie] {
        guard isNewBrowser, !isCrossSite || method == .get else { return setCookies }
        return [SetCookie(name: CookieName.form, value: browser, sameSite: .lax, life: nil)] + setCookies
    }

    /// Who asks; messages to them are in the language of the page.
    var caller: Caller {
        var caller = call.caller
        caller.language = language.rawValue
        return caller
    }

    /// Takes the entry up: its language, its client, and where its forms may lead.
    mutating func setEntry(_ entry: WebEntry) {
        self.entry = entry
        call.clientID = entry.client.id
        formTargets = entry.target.redirectURI.map(entry.client.formTargets(endingAt:)) ?? []
        locales = entry.locales
        language = Language.preferred(
            uiLocales: entry.locales, acceptLanguage: headers.value(.acceptLanguage))
    }

    mutating func isBy(_ session: SessionSnapshot) {
        call.isBy(session)
    }
}
