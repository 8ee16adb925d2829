import TestSupport
import Testing

@Suite("Settings that the first start has read, on a running database")
struct StaleSettingsTests {
    private static let warning = "CLIENT_ORIGINS has no effect: in the database the app has \(Deployment.origin)"
    private static let command = "gateway clients change app --origin http://localhost:5173"

    @Test("check-configuration, doctor and serve warn of a changed setting, until its command has stored it")
    func changed() async throws {
        try await withDeployment { deployment in
            var changes = try DoctorTests.address()
            try await deployment.serving(changes) { gateway in
                #expect(!gateway.log.contains("has no effect"))
            }
            changes["CLIENT_ORIGINS"] = "http://localhost:5173"
            let check = try await deployment.run("check-configuration", changes: changes)
            #expect(check.exitCode == 0)
            #expect(check.errors.contains("warning: \(Self.warning). Run: \(Self.command). "), "\(check.errors)")
            try await deployment.serving(changes) { gateway in
                #expect(gateway.log.contains(Self.warning) && gateway.log.contains(Self.command), "\(gateway.log)")
                let doctor = try await deployment.run(["doctor"], changes: changes)
                #expect(doctor.output.contains("  warning  first app: \(Self.warning)"), "\(doctor.output)")
                #expect(doctor.output.contains(Self.command))
                let words = Self.command.split(separator: " ").dropFirst().map(String.init)
                let stored = try await deployment.run(words, changes: changes)
                #expect(stored.exitCode == 0, "\(stored.errors)")
                let settled = try await deployment.run(["doctor"], changes: changes)
                #expect(settled.output.contains("  ok       first app: "), "\(settled.output)")
            }
        }
    }

    @Test("check-configuration without a database says that it compared nothing, and succeeds")
    func withoutDatabase() async throws {
        try await withDeployment { deployment in
            let result = try await deployment.run(
                "check-configuration", changes: ["DATABASE_URL": "host=/nowhere dbname=x"])
            #expect(result.exitCode == 0, "\(result.errors)")
            #expect(result.errors.contains("note: CLIENT_* was not compared with the app in the database: "))
        }
    }
}
