import FoundationEssentials
import JSON

extension NativeState {
    func beginSignUp(
        _ flow: inout NativeFlow, _ request: NativeRequest, _ known: NativeUser?
    ) throws(Refusal) {
        guard known?.exists != true else {
            throw .native("user_already_exists", 1_003_037, "The user already exists.")
        }
        let newcomer = known ?? Self.newcomer(request.username, request.tenant)
        if let password = request.form["password"] {
            try newcomer.check(password: password)
            flow.password = password
        }
        if let text = request.form["attributes"] { flow.attributes = try Self.attributes(text, of: newcomer) }
        flow.isSignUp = true
    }

    mutating func challengeSignUp(_ flow: NativeFlow, _ request: NativeRequest) throws(Refusal) -> JSONObject {
        switch flow.step {
        case .signUp, .signUpCode: return send("sign_up", flow, to: .signUpCode, at: request.now)
        case .signUpPasswordDemanded:
            return [
                "continuation_token": .string(advance(flow, to: .signUpPassword, at: request.now)),
                "challenge_type": "password",
            ]
        default: throw skipped(request)
        }
    }

    mutating func continueSignUp(_ flow: NativeFlow, _ request: NativeRequest) throws(Refusal) -> JSONObject {
        var flow = flow
        let user = user(of: flow)
        switch (request.form.value("grant_type"), flow.step) {
        case ("oob", .signUpCode): try spend(request.demanded("oob"), for: "sign_up", flow)
        case ("password", .signUpPassword):
            let password = try request.demanded("password")
            try user.check(password: password)
            flow.password = password
        case ("attributes", .signUpAttributes):
            flow.attributes.merge(try Self.attributes(request.demanded("attributes"), of: user)) { $1 }
        case ("oob", _), ("password", _), ("attributes", _): throw skipped(request)
        default: throw .emptyParameter("grant_type")
        }
        return try finishSignUp(flow, request)
    }

    private mutating func finishSignUp(_ flow: NativeFlow, _ request: NativeRequest) throws(Refusal) -> JSONObject {
        var user = user(of: flow)
        guard !user.needsPassword || flow.password != nil else {
            let token = advance(flow, to: .signUpPasswordDemanded, at: request.now)
            throw .native(
                "credential_required", 55_103, "Credential required.", ["continuation_token": .string(token)])
        }
        let missing = user.requiredAttributes.filter { flow.attributes[$0, default: ""].isEmpty }
        guard missing.isEmpty else {
            let token = advance(flow, to: .signUpAttributes, at: request.now)
            let list = missing.map { name -> JSON in
                [
                    "name": .string(name), "type": "string", "required": true,
                    "options": ["regex": "^.{1,64}$"],
                ]
            }
            throw .native(
                "attributes_required", 55_106, "User attributes are required.",
                ["continuation_token": .string(token), "required_attributes": .array(list)])
        }
        (user.exists, user.password, user.attributes) = (true, flow.password, flow.attributes)
        user.name = flow.attributes["displayName"] ?? user.name
        replace(user)
        return ["continuation_token": .string(advance(flow, to: .done, at: request.now))]
    }

    /// Ignores unknown attributes, as the API's page says.
    private static func attributes(_ text: String, of user: NativeUser) throws(Refusal) -> [String: String] {
        guard let members = (try? JSON(parsing: Array(text.utf8)))?.object?.members else {
            throw .emptyParameter("attributes")
        }
        var attributes: [String: String] = [:]
        var invalid: [JSON] = []
        for member in members where user.requiredAttributes.contains(member.name) || member.name == "displayName" {
            guard let value = member.value.string, (1...64).contains(value.utf8.count) else {
                invalid.append(["name": .string(member.name)])
                continue
            }
            attributes[member.name] = value
        }
        guard invalid.isEmpty else {
            throw .native(
                "invalid_grant", 55_104, "User attributes are not valid.", suberror: "attribute_validation_failed",
                ["invalid_attributes": .array(invalid)])
        }
        return attributes
    }
}
