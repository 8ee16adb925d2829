import GatewayClient

/// The answer to one call.
struct Answer {
    let status: Int
    let headers: [String: String]
    let body: JSONValue?

    init(status: Int = 200, _ body: JSONValue?) {
        (self.status, self.body) = (status, body)
        headers = body == nil ? [:] : ["content-type": "application/json"]
    }

    init(_ refusal: Refusal) { (status, headers, body) = (refusal.status, refusal.headers, refusal.body) }
}

extension FakeGateway {
    /// Remembers what the calls that complete a sign-in do not repeat: its provider and its user.
    func begin(_ call: Call) {
        switch call.name {
        case "POST /v1/sign-in": flow.user = FakeUser(signIn: call.body)
        case "POST /v1/sign-up": flow.user = FakeUser(signUp: call.body)
        case "POST /v1/password/forgot": flow.user = FakeUser(email: call.body?["username"]?.string)
        default: return
        }
        flow.provider = call.body?["provider"]?.string
    }

    /// The refusal of a call with tokens or with a flow that no longer work.
    func refusal(of call: Call) -> Refusal? {
        if let token = call.accessToken { return tokens.refusal(ofAccessToken: token) }
        guard call.name != "POST /v1/token/refresh" else {
            return tokens.refusal(ofRefreshToken: call.body?["refresh_token"]?.string)
        }
        guard let asked = call.body?["flow"]?.string, asked != flow.token else { return nil }
        return Refusal(.flowExpired, 400, "Start again")
    }

    /// The answer to a call that succeeds.
    func usualAnswer(to call: Call) throws -> Answer {
        switch call.name {
        case "POST /v1/nonce": return Answer(["nonce": .string(tokens.newNonce()), "expires_in": 600])
        case "POST /v1/sign-up": return flow.ask(.confirmSignUp())
        case "POST /v1/password/forgot": return flow.ask(.resetPassword())
        case "POST /v1/sign-in/resend", "POST /v1/sign-up/resend": return try flow.askAgain(call)
        case "POST /v1/token/refresh":
            return Answer(["session": tokens.refresh(call.body?["refresh_token"]?.string, isBound: call.hasProof)])
        case "POST /v1/sign-out":
            tokens.signOut(call.accessToken, everywhere: call.body?["scope"] == "global")
            return Answer(status: 204, nil)
        case "POST /v1/password/change": return Answer(status: 204, nil)
        case "GET /v1/account": return Answer(.object(flow.user.profile))
        case _ where call.isOfSignIn: return signedIn(nil, nil, [])
        default: throw NoReply(call: call.name)
        }
    }

    /// The end of a sign-in, for the user of the script or else for that of the requests.
    func signedIn(_ user: FakeUser?, _ isNew: Bool?, _ codes: [String]) -> Answer {
        let isNew = isNew ?? flow.user.isNew
        if let user { flow.user = user }
        flow.user.isNew = false
        let identity = flow.foreignProvider.map { tokens.identity(at: $0) }
        var members: [String: JSONValue] = [
            "status": "signed_in", "account": .object(flow.user.account), "new_account": .bool(isNew),
        ]
        if let identity { members["identity"] = identity }
        members["session"] = tokens.begin(isBound: calls.last?.hasProof == true)
        if identity == nil, !flow.user.isGuest { members["device"] = ["token": "device-token-1"] }
        if !codes.isEmpty { members["recovery_codes"] = .array(codes.map(JSONValue.string)) }
        flow.token = nil
        return Answer(.object(members))
    }
}

/// A call without an answer: the message says how to give one.
struct NoReply: Error, CustomStringConvertible {
    let call: String
    var description: String { #"FakeGateway has no answer to \#(call): give one by on("\#(call)", .answer(…))."# }
}
