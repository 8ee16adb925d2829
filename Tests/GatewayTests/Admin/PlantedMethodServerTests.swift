import Foundation
import Testing

@testable import Accounts
@testable import JSON
@testable import Postgres
@testable import Vocabulary

@Suite("An operator's items in an account, through the server", .gateway(StepServer.configuration))
struct PlantedMethodServerTests {
    private static let grant: JSON = ["role": "viewer", "reason": "joins the team"]

    private static func methods(_ gateway: GatewayProcess, _ account: String, by owner: SignedInAnswer) async throws
        -> [String: JSON]
    {
        let answer = try await gateway.admin("GET", "operators/\(account)/methods", by: owner)
        try #require(answer.status == 200, "\(answer.text)")
        let methods = try #require(answer.json["methods"]?.array)
        return Dictionary(methods.map { ($0["kind"]?.string ?? "", $0) }, uniquingKeysWith: { $1 })
    }

    private static func settle(_ gateway: GatewayProcess, _ account: String) async throws {
        try await gateway.change(
            "update account_changes set undo_until = now() - interval '1 second' where account_id = \(account)::uuid")
    }

    @Test("F2: items that an operator merged into an account are new there, marked, and support no role")
    func merged() async throws {
        let gateway = try GatewayProcess.current
        let (owner, admin) = (
            try await gateway.operatorSession("owner"), try await gateway.operatorSession("admin")
        )
        let planted = try await gateway.session("google")
        _ = try await gateway.addingTOTP(
            ProtectedPerson(email: "", account: planted.account, session: planted), bearer: planted.accessToken)
        try await gateway.change(
            "update factors set added_at = now() - interval '2 years' where account_id = \(planted.account)::uuid")
        try await gateway.change(
            "update identities set linked_at = now() - interval '2 years' where account_id = \(planted.account)::uuid")
        let person = try await gateway.signUp(Fresh.email())
        let preview = try await gateway.admin(
            "POST", "accounts/\(person.account)/merge/preview", ["absorb": .string(planted.account)], by: admin)
        let merged = try await gateway.admin(
            "POST", "accounts/\(person.account)/merge",
            ["absorb": .string(planted.account), "digest": preview.json["digest"] ?? .null, "reason": "one person"],
            by: admin)
        #expect(merged.status == 200, "\(merged.text)")
        let shown = try await Self.methods(gateway, person.account, by: owner)
        let year = String(Calendar(identifier: .gregorian).component(.year, from: Date()))
        for kind in ["identity", "totp"] {
            #expect(shown[kind]?["by"] == "operator", "\(shown)")
            #expect(shown[kind]?["since"]?.string?.hasPrefix(year) == true, "\(shown)")
        }
        #expect(shown["password"]?["by"] == .null)
        try await Self.settle(gateway, person.account)
        let refused = try await gateway.admin("PUT", "operators/\(person.account)", Self.grant, by: owner)
        try await gateway.expectRefusal(refused, 409, "role_needs_factor", action: "change_role")
        let command = try await gateway.deployment.run(
            "admin", "grant", person.account, "--role", "viewer", "--yes")
        #expect(command.exitCode == 1 && command.output.contains("put there by an operator"), "\(command.output)")
    }

    @Test("F2: a factor enrolled in an account with an operator's item supports no role")
    func beside() async throws {
        let gateway = try GatewayProcess.current
        let (owner, admin) = (
            try await gateway.operatorSession("owner"), try await gateway.operatorSession("admin")
        )
        let person = try await gateway.signUp(Fresh.email())
        let linked = try await gateway.admin(
            "POST", "accounts/\(person.account)/identities",
            [
                "provider": "google", "realm": "https://accounts.google.com", "subject": .string(Fresh.text()),
                "reason": "asked by phone",
            ], by: admin)
        #expect(linked.status == 201 || linked.status == 200, "\(linked.text)")
        _ = try await gateway.addingTOTP(
            ProtectedPerson(email: "", account: person.account, session: person), bearer: person.accessToken)
        try await Self.settle(gateway, person.account)
        #expect(try await Self.methods(gateway, person.account, by: owner)["totp"]?["by"] == "beside_operator")
        let refused = try await gateway.admin("PUT", "operators/\(person.account)", Self.grant, by: owner)
        try await gateway.expectRefusal(refused, 409, "role_needs_factor", action: "change_role")
        // Removing the identity does not make the factor the user's own.
        try await gateway.change(
            "delete from identities where account_id = \(person.account)::uuid and linked_by = 'operator'")
        let still = try await gateway.admin("PUT", "operators/\(person.account)", Self.grant, by: owner)
        try await gateway.expectRefusal(still, 409, "role_needs_factor", action: "change_role")
    }

    @Test("F2: every code for the origin of a sign-in method has a text")
    func words() {
        let first: Set<LinkingPolicy.Rule> = [
            .noMatch, .provedTakesUnproved, .neitherProved, .overBudget, .holderUnusable, .linkDeclined,
        ]
        for rule in first { #expect(MethodOrigin(rule.rawValue) == .first) }
        for rule in Set(LinkingPolicy.Rule.allCases).subtracting(first).subtracting([.bothProved]) {
            #expect(MethodOrigin(rule.rawValue) == .linked)
        }
        let others: [String: MethodOrigin] = [
            "both_proved": .sameAddress, "linked_in_session": .linked, "proved_both": .linked,
            "operator": .byOperator, "beside_operator": .besideOperator, "own_merge": .ownMerge, "person": .person,
            "import": .imported, "google": .provider,
        ]
        for (code, origin) in others { #expect(MethodOrigin(code) == origin, "\(code)") }
        #expect(MethodOrigin.allCases.allSatisfy { !$0.words.isEmpty })
    }

    @Test("F2: the administration page lists every code for the origin of a sign-in method")
    func documented() throws {
        let page = try Pages.text("docs/admin.md")
        let table = try #require(page.components(separatedBy: "| `by` | in words |\n").dropFirst().first)
        let rows = table.components(separatedBy: "\n\n")[0].split(separator: "\n").dropFirst()
        let codes = rows.flatMap { row in
            row.split(separator: "|")[0].matches(of: /`([a-z_]+)`/).map { String($0.output.1) }
        }
        #expect(codes.count == Set(codes).count)
        // A summary of codes is not a code.
        let summing: Set<MethodOrigin> = [.first, .sameAddress, .linked, .provider]
        let known =
            Set(MethodOrigin.allCases).subtracting(summing).map(\.rawValue)
            + LinkingPolicy.Rule.allCases.map(\.rawValue)
        #expect(Set(codes) == Set(known + MethodOrigin.rulesOfFunctions))
        for rule in MethodOrigin.rulesOfFunctions {
            #expect(FunctionText.all.contains { $0.tokens.contains("'\(rule)'") }, "no function writes \(rule)")
        }
    }
}
