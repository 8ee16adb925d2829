import Cryptography
import FoundationEssentials
import JSON

extension UserPoolState {
    mutating func initiate(_ request: UserPoolRequest, mint: Mint) throws -> JSONObject {
        let client = try client(request)
        let flow = request.text("AuthFlow")
        let parameters = request.map("AuthParameters")
        try client.expectFlow(flow)
        let name = try parameters.demanded("USERNAME")
        try client.expectSecretHash(parameters["SECRET_HASH"], of: name)
        switch flow {
        case "USER_SRP_AUTH":
            return try prove(name, clientValue: parameters.demanded("SRP_A"), client, isCustom: false, at: request.now)
        case "USER_PASSWORD_AUTH":
            return try enter(name, password: parameters.demanded("PASSWORD"), client, at: request.now, mint: mint)
        case "CUSTOM_AUTH":
            guard let first = parameters["CHALLENGE_NAME"], first != "CUSTOM_CHALLENGE" else {
                return try challenge(known(name, client), client, at: request.now)
            }
            guard first == "SRP_A" else { throw Refusal.parameter("CHALLENGE_NAME is SRP_A or CUSTOM_CHALLENGE") }
            return try prove(name, clientValue: parameters.demanded("SRP_A"), client, isCustom: true, at: request.now)
        default: return try choose(name, parameters, client, at: request.now, mint: mint)
        }
    }

    /// The user, or the refusal of an unknown one.
    func known(_ name: String, _ client: PoolClient) throws(Refusal) -> PoolUser {
        if let user = user(name, of: client) { return user }
        guard !client.preventsUserExistenceErrors else { throw .wrongCredentials }
        throw .userPool("UserNotFoundException", "User does not exist.")
    }

    // MARK: Passwords

    /// Takes a plain password.
    mutating func enter(
        _ name: String, password: String, _ client: PoolClient, at now: Date, mint: Mint
    ) throws -> JSONObject {
        let user = try known(name, client)
        let isRight = user.password?.hasSameBytes(as: password) ?? false
        let admitted = try change(user) { user throws(Refusal) in
            try user.admit(isRight: isRight, at: now)
            return user
        }
        return try afterPassword(admitted, client, at: now, mint: mint)
    }

    /// The challenge to prove a password; an unknown user's looks the same and always has the same salt and id.
    mutating func prove(
        _ name: String, clientValue: String, _ client: PoolClient, isCustom: Bool, at now: Date
    ) throws(Refusal) -> JSONObject {
        guard SRPServer.accepts(clientValue: clientValue) else { throw .parameter("Invalid SRP_A") }
        let user = client.preventsUserExistenceErrors ? user(name, of: client) : try known(name, client)
        let decoy = SHA256.hash("decoy:\(client.pool):\(name)")
        let id = user?.id ?? GUID.formatted(Hex.encode(decoy))
        let salt = user?.password == nil ? [0x21] + decoy.suffix(15) : [0x8A] + SHA256.hash("salt:\(id)").suffix(15)
        let server = SRPServer(
            SRPVerifier(
                realm: client.realm, user: id, password: Secret(user?.password ?? RandomText.hex(16)), salt: salt))
        let block = Data(RandomBytes.system(48)).base64EncodedString()
        return ask(
            .proof(server, clientValue: clientValue, secretBlock: block, isCustom: isCustom), id, client,
            [
                "SALT": .string(Hex.encode(salt)), "SRP_B": .string(server.publicValue),
                "SECRET_BLOCK": .string(block), "USERNAME": .string(id), "USER_ID_FOR_SRP": .string(id),
            ], at: now)
    }

    // MARK: A choice of first factors

    private mutating func choose(
        _ name: String, _ parameters: [String: String], _ client: PoolClient, at now: Date, mint: Mint
    ) throws -> JSONObject {
        let user = try known(name, client)
        switch parameters["PREFERRED_CHALLENGE"] {
        case "PASSWORD"? where user.password != nil:
            guard let password = parameters["PASSWORD"] else {
                return ask(.password("PASSWORD"), user.id, client, [:], at: now)
            }
            return try enter(name, password: password, client, at: now, mint: mint)
        case "PASSWORD_SRP"? where user.password != nil:
            guard let value = parameters["SRP_A"] else {
                return ask(.password("PASSWORD_SRP"), user.id, client, [:], at: now)
            }
            return try prove(name, clientValue: value, client, isCustom: false, at: now)
        case let preferred? where user.firstFactors.contains(preferred):
            return try begin(preferred, user, client, at: now)
        default: return offer(user, client, at: now)
        }
    }

    mutating func offer(_ user: PoolUser, _ client: PoolClient, at now: Date) -> JSONObject {
        var answer = ask(.firstFactor, user.id, client, [:], at: now)
        let passwords = user.password == nil ? [] : ["PASSWORD", "PASSWORD_SRP"]
        answer["AvailableChallenges"] = .array((passwords + user.firstFactors).map(JSON.string))
        return answer
    }

    /// Begins a first or second factor with a code or a passkey.
    mutating func begin(
        _ factor: String, _ user: PoolUser, _ client: PoolClient, at now: Date
    ) throws(Refusal) -> JSONObject {
        switch factor {
        case "EMAIL_OTP", "SMS_OTP", "SMS_MFA":
            let medium = factor == "EMAIL_OTP" ? "EMAIL" : "SMS"
            guard let destination = user.destination(medium) else {
                throw .userPool("CodeDeliveryFailureException", "Unable to deliver the code.")
            }
            _ = try change(user) { $0.sendCode(for: factor) }
            return ask(
                .code(factor), user.id, client,
                [
                    "CODE_DELIVERY_DELIVERY_MEDIUM": .string(medium),
                    "CODE_DELIVERY_DESTINATION": .string(destination),
                ], at: now)
        case "SOFTWARE_TOKEN_MFA":
            return ask(
                .softwareToken, user.id, client, ["FRIENDLY_DEVICE_NAME": "Ann's phone"], at: now)
        case "WEB_AUTHN":
            guard let passkey = user.passkey else {
                throw .userPool("WebAuthnNotEnabledException", "The user has no passkey.")
            }
            let challenge = RandomText.base64URL(32)
            return ask(
                .passkey(challenge: challenge), user.id, client,
                ["CREDENTIAL_REQUEST_OPTIONS": .string(passkey.options(challenge: challenge).text)], at: now)
        default: throw .userPool("MFAMethodNotFoundException", "There is no such method.")
        }
    }

    // MARK: The operator's own challenges

    mutating func challenge(
        _ user: PoolUser, number: Int = 0, _ client: PoolClient, at now: Date
    ) throws(Refusal) -> JSONObject {
        guard user.customChallenges.indices.contains(number) else { throw .wrongCredentials }
        var parameters: JSONObject = ["USERNAME": .string(user.id)]
        for (name, value) in user.customChallenges[number].parameters.sorted(by: { $0.key < $1.key }) {
            parameters[name] = .string(value)
        }
        return ask(.custom(number), user.id, client, parameters, at: now)
    }
}

extension PoolClient {
    /// The text before the user in a password's digest: the pool's name without its region.
    var realm: String { String(pool.drop { $0 != "_" }.dropFirst()) }
}

extension [String: String] {
    func demanded(_ name: String) throws(Refusal) -> String {
        guard let value = self[name], !value.isEmpty else { throw .missing(name) }
        return value
    }
}
