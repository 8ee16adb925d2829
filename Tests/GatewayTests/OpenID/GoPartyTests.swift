import Foundation
import JSON
import TestSupport
import Testing

extension StockPartyTests {
    /// The driver, compiled with the packages of the distribution, which have version 2 of go-oidc: see ``GoBackend``.
    private static let program = Task {
        let folder = Configurations.root.appending(path: "var/go").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        try await ChildProcess.run(
            [
                "GO111MODULE=off", "GOPATH=/usr/share/gocode", "GOCACHE=\(folder)/cache", "CGO_ENABLED=0", "go",
                "build", "-o", "\(folder)/go_oidc_party", PartyDriver.path("go_oidc_party.go"),
            ], within: .seconds(600))
        return "\(folder)/go_oidc_party"
    }

    @Test("go-oidc finds us, signs in, verifies, asks UserInfo and refreshes; another issuer and audience it refuses")
    func goOIDC() async throws {
        let party = try await RelyingParty.register(["refresh_tokens": "offline_access"])
        var driver = try PartyDriver(
            [
                try await Self.program.value, party.issuer, party.id, party.secret ?? "", RelyingParty.address,
            ], source: "Debian")
        let visitor = try await Visitor.arrive()
        try await driver.send(visitor)
        let result = try await driver.json()
        #expect(result["claims"]?["email"]?.string == visitor.email && result["claims"]?["aud"]?.string == party.id)
        #expect(result["info"]?["email"]?.string == visitor.email && result["refreshed"] == true, "\(result.text)")
        #expect(result["refused"] == ["issuer", "audience", "spent code", "its session"])
        await driver.expectGoodEnd()
    }
}
