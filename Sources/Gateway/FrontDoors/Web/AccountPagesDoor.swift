import Hummingbird
import Sessions

/// A door for the user's own account.
protocol AccountPagesDoor: FrontDoor, HostedPages {
    var pages: AccountPages { get }
}

extension AccountPagesDoor {
    var site: Site { pages.site }

    /// Makes a change that may need a second factor first.
    ///
    /// If it does, the browser goes to the second factor and then back to the account page.
    func changingSecurity(
        _ action: String, _ request: Request, _ context: GatewayContext,
        _ body: (FormBody, SessionSnapshot, WebCall) async throws(Rejection) -> Response
    ) async throws -> Response {
        try await answer(action, request, context) { call in
            let form = try await form(request, call)
            speak(form["ui_locales"], &call)
            let session = try await demandedAccountSession(&call)
            do throws(Rejection) {
                return try await body(form, session, call)
            } catch .stepUpRequired {
                return try await raise(session, to: .init(), &call)
            } catch {
                guard let problem = PageProblem(ofSecurity: error) else { throw error }
                record(action, WebRefusal(error), call)
                return show(
                    try await pages.accountPage(session, call, problem: problem), call, status: WebRefusal(error).status
                )
            }
        }
    }

    func done(_ notice: String, _ form: FormBody) -> Response {
        .seeOther("/account".addingQuery([("done", notice)] + Self.localesParameter(form["ui_locales"])))
    }
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
