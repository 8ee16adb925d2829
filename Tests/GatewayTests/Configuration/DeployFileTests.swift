import Foundation
import Testing

@Suite("Files to deploy with")
struct DeployFileTests {
    private static func lines(_ path: String) throws -> [String] {
        try String(contentsOf: Configurations.root.appending(path: path), encoding: .utf8)
            .split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    @Test("the unit is in production whatever its environment file says")
    func unitEnvironment() throws {
        let unit = try Self.lines("deploy/systemd/gateway.service")
        let starts = unit.filter { $0.hasPrefix("ExecStart") }
        #expect(starts.count == 2)
        #expect(starts.allSatisfy { $0.contains("=/usr/bin/env ENVIRONMENT=production LOG_FORMAT=json ") })
    }

    @Test("the unit tries for as long as the database is away, and not with a wrong configuration")
    func unitRestarts() throws {
        let unit = try Self.lines("deploy/systemd/gateway.service")
        for line in ["StartLimitIntervalSec=0", "Restart=on-failure", "RestartSec=2", "RestartPreventExitStatus=78"] {
            #expect(unit.contains(line), "\(line)")
        }
    }

    @Test("the containers are in production whatever their environment file says")
    func containers() throws {
        let compose = try Self.lines("deploy/compose.yaml")
        let files = compose.count { $0 == "env_file: [gateway.env]" }
        #expect(files > 0 && compose.count { $0 == "ENVIRONMENT: production" } == files)
    }
}
