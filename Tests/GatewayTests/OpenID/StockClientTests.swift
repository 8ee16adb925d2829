import Foundation
import JSON
import TestSupport
import Testing

/// Unmodified client libraries as relying parties.
extension OpenIDTests {
    @Test("Authlib from PyPI signs in, verifies the ID token, asks UserInfo, refreshes and revokes")
    func authlib() async throws {
        let gateway = try GatewayProcess.current
        let party = try await RelyingParty.register()
        let issuer = try #require(try await gateway.get("/.well-known/openid-configuration").json["issuer"]?.string)
        let address = "http://127.0.0.1:\(gateway.port)"
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        // moto comes with requests (scripts/lib/packages.sh).
        let packages = ["authlib", "moto"].map { folder.appendingPathComponent("../../../var/\($0)").path }
        let process = try ChildProcess(
            "/usr/bin/env",
            [
                "python3", folder.appendingPathComponent("authlib_party.py").path, issuer, address, party.id,
                party.secret ?? "", RelyingParty.address,
            ], environment: ["PYTHONPATH": packages.joined(separator: ":")], takesInput: true)
        func line(_ number: Int) async throws -> String {
            try await poll(within: .seconds(60)) { () throws -> String? in
                if process.exitCode ?? 0 != 0 {
                    throw HarnessError("Authlib has ended; 'make test' takes it from PyPI.\n\(process.errors)")
                }
                return process.lines.count > number ? process.lines[number] : nil
            }
        }
        let visitor = try await Visitor.arrive()
        let asked = try await line(0)
        let browser = try await visitor.signIn(asked.replacing(address, with: ""))
        process.write("\(try #require(browser.departure, "\(browser.page.text)"))\n".utf8)
        let result = try JSON(parsing: try await line(1))
        #expect(result["claims"]?["email"]?.string == visitor.email)
        #expect(result["info"]?["email"]?.string == visitor.email)
        #expect(result["refreshed"] == true && result["revoked"] == 200 && result["after"] == 401, "\(result.text)")
    }
}
