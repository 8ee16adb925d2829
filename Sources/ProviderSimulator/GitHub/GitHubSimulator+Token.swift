import HTTPTypes
import JSON

extension GitHubSimulator {
    /// `POST access_token`: exchanges a code for an access token, in the form that `Accept` requests.
    ///
    /// Errors of code, client or redirect address are an `error` with status 200.
    func token(_ request: Received) throws -> Answer {
        let isJSON = request.headers[.accept]?.contains("application/json") ?? false
        do {
            return Self.answer(try exchange(request), isJSON: isJSON)
        } catch {
            var answer = Self.answer(body(of: error).object ?? [:], isJSON: isJSON)
            answer.status = error.status
            throw error.inForm(.answer(answer))
        }
    }

    private func exchange(_ request: Received) throws(Refusal) -> JSONObject {
        let form = try request.form(
            required: ["client_id", "client_secret", "code", "redirect_uri"], optional: ["code_verifier", "grant_type"])
        // GitHub does not define it, but OAuth libraries send it and GitHub accepts it.
        guard ["authorization_code", nil].contains(form["grant_type"]) else {
            throw Refusal(.ok, "unsupported_grant_type", "The grant type is not supported.")
        }
        try identify(form, request)
        do {
            let access = try desk.redeem(form, of: form.value("client_id"), at: request.now)
            let scopes = access.scopes.joined(separator: ",")
            return ["access_token": .string(desk.issue(access)), "scope": .string(scopes), "token_type": "bearer"]
        } catch {
            throw Self.refusal(of: error)
        }
    }

    private func identify(_ form: Parameters, _ request: Received) throws(Refusal) {
        do {
            _ = try desk.clients.identify(form, request)
        } catch {
            guard error.error == "invalid_client" else { throw error }
            let description = "The client_id and/or client_secret passed are incorrect."
            throw Refusal(.ok, "incorrect_client_credentials", description, reason: error.reason)
        }
    }

    private static func refusal(of problem: CodeProblem) -> Refusal {
        switch problem {
        case .redirectMismatch:
            Refusal(
                .ok, "redirect_uri_mismatch",
                "The redirect_uri MUST match the registered callback URL for this application.", reason: problem.reason)
        case .unknown, .spent, .expired, .foreignClient, .verifierMismatch:
            Refusal(
                .ok, "bad_verification_code", "The code passed is incorrect or expired.", reason: problem.reason)
        }
    }

    private static func answer(_ members: JSONObject, isJSON: Bool) -> Answer {
        guard !isJSON else { return .secret(.object(members)) }
        let form = FormEncoding.text(members.members.map { FormField($0.name, $0.value.string ?? "") })
        return Answer(
            headers: [.cacheControl: "no-store"],
            body: .text(form, type: "application/x-www-form-urlencoded; charset=utf-8"))
    }
}
