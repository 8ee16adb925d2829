import Cryptography
import FoundationEssentials
import JSON

extension AmazonSimulator {
    /// An access token in the form of Amazon's SDK, and a code with its verifier.
    func mint(_ order: MintOrder, for person: Person) throws -> Minted {
        let access = access(order, for: person)
        let token = issue(access)
        var members: JSONObject = ["provider": "amazon", "access_token": .string(token)]
        var minted = Minted(members: [:], token: token, credential: ["access_token": .string(token)])
        if order.withCode {
            clients.register(order.clientID)
            let purchase = Purchase(clientID: order.clientID, isPublicClient: order.isPublicClient, access: access)
            let credential = codes.add(code(), of: order, opening: purchase)
            members = members.overridden(by: credential)
            minted.codeCredential = credential
        }
        members["tokeninfo"] = .object(access.tokenInfo)
        members["profile"] = access.profile.map(JSON.object) ?? .null
        minted.members = members
        return minted
    }

    /// Registers a new access token like Amazon's: more than 350 characters, some of them special in URLs.
    func issue(_ access: Access) -> String {
        let token = "Atza|" + opaque()
        accessTokens.add(access, as: token)
        return token
    }

    func opaque() -> String {
        Data(RandomBytes.system(264)).base64EncodedString()
    }

    private func access(_ order: MintOrder, for person: Person) -> Access {
        let userID = JSON.string(person.subject ?? "amzn1.account.\(person.digits(28, for: "amazon").uppercased())")
        let info: JSONObject = [
            "iss": .string(Defaults.amazonIssuer), "user_id": userID, "aud": .string(order.clientID),
            "app_id": .string(Defaults.amazonApp), "iat": .integer(order.seconds),
        ]
        let profile: JSONObject = ["user_id": userID, "name": .string(person.name), "email": .string(person.email)]
        return Access(
            issuedAt: order.now, tokenInfo: order.replaced("tokeninfo", in: info).overridden(by: ["exp": nil]),
            expiry: order.replacements["tokeninfo"]?["exp"],
            profile: order.hasProfile ? order.replaced("profile", in: profile) : nil)
    }

    private func code() -> String {
        "AN" + String(RandomText.hex(9))
    }
}
