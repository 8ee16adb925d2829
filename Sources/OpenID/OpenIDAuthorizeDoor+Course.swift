import Authorization
import Clients
import Foundation
import HTTPServer
import Hummingbird
import Pages
import Sessions
import SignIn
import Vocabulary

/// What the user answered on our pages about a request.
struct AuthorizationAnswers {
    var isChosen = false
    /// What the user granted now; nil without a question.
    var granted: GrantedAccess?
    /// False once the account turned out to have no second factor.
    var canRaise = true
}

/// The course of a request: to a page, or to the app.
extension OpenIDAuthorizeDoor {
    func proceed(_ asked: Asked, _ answers: AuthorizationAnswers, _ call: inout WebCall) async throws -> Response {
        let place = try place(of: asked, &call)
        let request: AuthorizationRequest
        do throws(AuthorizationFault) {
            request = try self.request(asked, at: place)
        } catch {
            return try refuse(error, at: place, call)
        }
        let hint = request.idTokenHint.flatMap { tokens.hint($0, at: directory.now) }
        guard request.idTokenHint == nil || hint != nil else { return try refuse(.hintInvalid, at: place, call) }
        let session = try await session(&call)
        let expected = request.expected(hint)
        // Compared as this app sees it, so that it learns nothing of what another sector calls the user.
        var subject: String?
        if expected != nil, let session {
            subject = try await subjects.subject(of: session.account.id, at: request.client)
        }
        let granted = try await granted(request, session, answers)
        let facts = AuthorizationDecision.Facts(
            session: session, expected: expected, subject: subject, begun: asked.stored?.begun,
            isChosen: answers.isChosen, isAgreed: granted != nil,
            isAgreedNow: answers.granted != nil, canRaise: answers.canRaise, now: directory.now)
        return try await follow(
            AuthorizationDecision(request, facts), of: Course(asked, request, session, granted, answers), &call)
    }

    /// A request with what is known about its user.
    struct Course {
        let asked: Asked
        let request: AuthorizationRequest
        let session: SessionSnapshot?
        let granted: GrantedAccess?
        let answers: AuthorizationAnswers

        init(
            _ asked: Asked, _ request: AuthorizationRequest, _ session: SessionSnapshot?, _ granted: GrantedAccess?,
            _ answers: AuthorizationAnswers
        ) {
            (self.asked, self.request, self.session, self.granted) = (asked, request, session, granted)
            self.answers = answers
        }
    }

    /// What the user granted, now or earlier, if it covers the request; all that may be asked for of our own apps.
    private func granted(
        _ request: AuthorizationRequest, _ session: SessionSnapshot?, _ answers: AuthorizationAnswers
    ) async throws(Rejection) -> GrantedAccess? {
        if let now = answers.granted { return now }
        guard request.client.openID.isThirdParty else {
            return GrantedAccess(scopes: request.client.openID.scopes, resources: request.resources)
        }
        guard let session, request.canReuseGrant else { return nil }
        let held = try await grants.granted(by: session.account.id, to: request.client.id)
        return held.flatMap { request.wanted.isSubset(of: $0) ? $0 : nil }
    }

    private func follow(
        _ decision: AuthorizationDecision, of course: Course, _ call: inout WebCall
    ) async throws -> Response {
        switch decision {
        case .handOver: return try await handOver(course, call)
        case .refuse(let fault): return try refuse(fault, at: course.request.place, call)
        case .signIn(let isAnew): return try await lead(to: "/login", isAnew: isAnew, course, call.caller)
        case .signUp: return try await lead(to: "/sign-up", isAnew: false, course, call.caller)
        case .raise:
            return try await raise(course, &call)
        case .choose, .consent: return try await ask(decision, course, &call)
        }
    }

    private func raise(_ course: Course, _ call: inout WebCall) async throws -> Response {
        guard let session = course.session else { throw Rejection.sessionEnded() }
        let back = Self.address(of: try await reference(to: course.asked, course.request.client, call.caller))
        do throws(Rejection) {
            return try await raise(session, LoginTarget.Asked(returnTo: back), &call)
        } catch .noSecondFactor {
            var answers = course.answers
            answers.canRaise = false
            return try await proceed(course.asked, answers, &call)
        }
    }

    /// Leads to a page of the sign-in, which leads back here.
    private func lead(
        to page: String, isAnew: Bool, _ course: Course, _ caller: Caller
    ) async throws(Rejection) -> Response {
        let (request, client) = (course.request, course.request.client)
        let back = Self.address(of: try await reference(to: course.asked, client, caller))
        let parameters: [(String, String?)] = [
            ("client_id", client.id), ("return_to", back), ("prompt", isAnew ? LoginPrompt.anew.rawValue : nil),
            ("login_hint", request.loginHint), ("ui_locales", request.locales),
        ]
        return .seeOther(page.addingQuery(parameters.compactMap { name, value in value.map { (name, $0) } }))
    }

    private func handOver(_ course: Course, _ call: WebCall) async throws -> Response {
        guard let session = course.session else { throw Rejection.sessionEnded() }
        guard let granted = course.granted else { throw Rejection.internalError }
        let request = course.request
        let app = AppSession(
            of: request.client,
            CodeBinding(
                redirectURI: request.place.redirectURI.text, challenge: request.challenge, key: request.key),
            tokens: request.tokens.granting(granted.scopes),
            resources: request.resources.granting(granted.resources),
            claims: request.claims.names(in: granted.scopes),
            outlivesBrowser: request.outlivesBrowser, request: course.asked.stored?.id)
        let code = try await handover.begin(
            app, from: session.facts.session, of: session.account.id, caller: call.caller)
        return deliver(request.place.answer([("code", code)], issuer: issuer), call)
    }
}
