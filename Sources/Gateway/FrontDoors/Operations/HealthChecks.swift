import HTTPTypes
import Hummingbird
import JSON

/// Whether the server can do its work, asked check by check.
struct HealthChecks: Sendable {
    /// One thing that has to be well, such as the database.
    struct Check: Sendable {
        let name: String
        /// Answers at once, from what is known; it must not itself wait for what it checks.
        let isWell: @Sendable () async -> Bool

        init(_ name: String, isWell: @escaping @Sendable () async -> Bool) {
            self.name = name
            self.isWell = isWell
        }
    }

    let checks: [Check]

    init(_ checks: [Check]) {
        self.checks = checks
    }

    /// 200 while the process runs.
    func live() -> Response {
        .json(["status": "live"])
    }

    /// 200 when every check is well, otherwise 503, with each check by its name.
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

    /// Mounts `/health/live` and `/health/ready`.
    func mount(on router: Router<GatewayContext>) {
        router.get("health/live") { _, _ in live() }
        router.get("health/ready") { _, _ in await ready() }
    }
}
