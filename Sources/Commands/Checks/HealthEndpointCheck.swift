import HTTPServer
import JSON
import Outbound

/// Whether the gateway on this machine is ready to serve.
enum HealthEndpointCheck {
    static func check(_ operations: OperationsConfiguration, _ transport: any HTTPTransport) -> DeploymentCheck {
        DeploymentCheck("health") {
            guard let port = operations.port else { return .skipped("OPS_PORT is 0") }
            let host = ["0.0.0.0", "::", "[::]"].contains(operations.host) ? "127.0.0.1" : operations.host
            let url = "http://\(host.contains(":") ? "[\(host)]" : host):\(port)/health/ready"
            guard let answer = try? await transport.send(.get(url)) else {
                return .skipped("no gateway answers at \(url): it runs on another machine, or has stopped")
            }
            guard answer.status != 200 else { return .passed("the gateway on this machine is ready") }
            let checks = (try? JSON(parsing: answer.body))?["checks"]?.object?.members ?? []
            let failing = checks.filter { $0.value == "failing" }.map(\.name).joined(separator: ", ")
            return .failed("the gateway on this machine is not ready: \(failing)", remedy: "Its log has the reason.")
        }
    }
}
