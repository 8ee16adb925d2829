import HTTPTypes
import Hummingbird
import JSON

/// Whether the server can work, check by check.
package struct HealthChecks: Sendable {
    /// One required condition, such as a reachable database.
    package struct Check: Sendable {
        let name: String
        /// Answers at once from known state; it must not wait for the checked component.
        let isWell: @Sendable () async -> Bool

        package init(_ name: String, isWell: @escaping @Sendable () async -> Bool) {
            self.name = name
            self.isWell = isWell
        }
    }

    let checks: [Check]

    package init(_ checks: [Check]) {
        self.checks = checks
    }

    /// Answers 200 while the process runs.
    func live() -> Response {
        .json(["status": "live"])
    }

    /// Answers 200 if every check succeeds, otherwise 503; lists each check by name.
    func ready() async -> Response {
        var results = JSONObject()
        var isReady = true
        for check in checks {
            let isWell = await check.isWell()
            results[check.name] = isWell ? "ok" : "failing"
            isReady = isReady && isWell
        }
        return .json(
            ["status": isReady ? "ready" : "not_ready", "checks": .object(results)],
            status: isReady ? .ok : .serviceUnavailable)
    }

    func mount(on router: Router<GatewayContext>) {
        router.get("health/live") { _, _ in live() }
        router.get("health/ready") { _, _ in await ready() }
    }
}
