import HTTPServer
import Hummingbird
import Pages
import Sessions
import SignIn
import Vocabulary

/// A door for the user's own account.
protocol AccountPagesDoor: FrontDoor, HostedPages {
    var pages: AccountPages { get }
}

extension AccountPagesDoor {
    var site: Site { pages.site }

    /// Makes a change that may need a second factor first.
    ///
    /// In that case the browser goes to the second factor, and then back to the section of the form, or to the usual
    /// section.
    func changingSecurity(
        _ action: String, in section: AccountSection, _ request: Request, _ context: GatewayContext,
        _ body: (FormBody, SessionSnapshot, WebCall) async throws(Rejection) -> Response
    ) async throws -> Response {
        try await answer(action, request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let section = form.section ?? section
            let session = try await demandedAccountSession(&call)
            do throws(Rejection) {
                return try await body(form, session, call)
            } catch .stepUpRequired {
                return try await raise(session, to: .init(returnTo: section.returnPath), &call)
            } catch {
                guard let problem = PageProblem(ofSecurity: error) else { throw error }
                record(error, call)
                let page = try await pages.accountPage(section, session, call, problem: problem)
                return show(page, call, status: WebRefusal(error).status)
            }
        }
    }

    /// Shows the section with the result of a completed action.
    func done(_ notice: AccountNotice, _ form: FormBody) -> Response {
        .seeOther(notice.address(in: form.section, Self.localesParameter(form["ui_locales"])))
    }
}

extension FormBody {
    /// The section of a form that several sections have.
    fileprivate var section: AccountSection? { self["section"].flatMap(AccountSection.init(rawValue:)) }
}

extension PageProblem {
    /// The problem that stops a security change; nil if the refusal has its own page.
    fileprivate init?(ofSecurity rejection: Rejection) {
        switch rejection {
        case .lastCredential, .factorExists, .noSecondFactor, .secondFactorDemanded, .passkeyRefused, .addressInUse,
            .operatorAccount:
            self.init(rejection.code)
        case .invalidCredentials, .invalidField(.currentPassword, _): self.init("password_wrong")
        default: self.init(typed: rejection)
        }
    }
}
