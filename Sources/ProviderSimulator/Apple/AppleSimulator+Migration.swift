import Cryptography
import FoundationEssentials
import JSON

/// The move of apps and their users to another developer team.
///
/// Pages: "Transferring your apps and users to another team", "Bringing new apps and users into your team".
extension AppleSimulator {
    struct MigrationGrant: Sendable {
        let team: String
        let clientID: String
        let issuedAt: Date
    }

    struct Transfer: Sendable {
        let subject: String
        let target: String
    }

    private static let migrationTokenLife = 3_600

    func migrationToken(_ form: Parameters, of team: String, at now: Date) throws -> Answer {
        try expect(["client_id", "client_secret", "grant_type", "scope"], [], in: form)
        guard form.value("scope") == "user.migration" else {
            throw Refusal.badRequest("invalid_scope", "The scope is not known.")
        }
        let token = "m" + RandomText.hex(16) + ".0.rrxx." + RandomText.base64URL(16)
        migrationTokens.add(
            MigrationGrant(team: team, clientID: form.value("client_id"), issuedAt: now), as: token)
        return .secret([
            "access_token": .string(token), "token_type": "Bearer", "expires_in": .integer(Self.migrationTokenLife),
        ])
    }

    /// `POST /auth/usermigrationinfo`: exchanges subjects and transfer subjects.
    ///
    /// The old team gets a transfer subject for a user, the new team gets the user of a transfer subject.
    func migrate(_ request: Received) throws -> Answer {
        let form = try request.form(
            required: ["client_id", "client_secret"], optional: ["sub", "target", "transfer_sub"])
        let team = try secrets.check(form.value("client_secret"), of: form.value("client_id"), at: request.now)
        try checkBearer(request, team: team, client: form.value("client_id"))
        if form["transfer_sub"] != nil { return try arrive(form, in: team) }
        try expect(["client_id", "client_secret", "sub", "target"], [], in: form)
        let (subject, target) = (form.value("sub"), form.value("target"))
        guard target.utf8.count == 10, !target.hasSameBytes(as: team) else {
            throw Refusal.invalidRequest("target is another team's id")
        }
        let transfer = "\(team).r." + String(Hex.encode(SHA256.hash("\(team) \(subject) \(target)")).prefix(32))
        transfers.add(Transfer(subject: subject, target: target), as: transfer)
        return .secret(["transfer_sub": .string(transfer)])
    }

    private func arrive(_ form: Parameters, in team: String) throws -> Answer {
        try expect(["client_id", "client_secret", "transfer_sub"], [], in: form)
        guard let transfer = transfers[form.value("transfer_sub")], transfer.target.hasSameBytes(as: team) else {
            throw Refusal.invalidRequest("the transfer subject is not known in this team")
        }
        let digits = Hex.encode(SHA256.hash("\(team) \(transfer.subject)"))
        return .secret([
            "sub": .string("002999.\(digits.prefix(32)).1300"),
            "email": .string("\(digits.prefix(10))@privaterelay.appleid.com"), "is_private_email": true,
        ])
    }

    private func checkBearer(_ request: Received, team: String, client: String) throws(Refusal) {
        let words = (try request.header("authorization") ?? "").split(separator: " ")
        guard words.count == 2, words[0] == "Bearer", let grant = migrationTokens[String(words[1])],
            grant.team.hasSameBytes(as: team), grant.clientID.hasSameBytes(as: client),
            request.now.timeIntervalSince(grant.issuedAt) < Double(Self.migrationTokenLife)
        else { throw .badRequest("invalid_client", "The access token is not good.") }
    }
}
