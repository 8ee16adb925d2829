import Glibc
import JSON
import NIOCore
import TestSupport
import Testing

/// Gateways that are replaced one by one while a load balancer keeps connections to them.
@Suite("Rolling restarts", .serialized, .timeLimit(.minutes(30)))
struct RollingRestartLongTests {
    /// A proxy does not repeat this request after sending it.
    private static let request =
        "POST /v1/nonce HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"

    @Test(
        "K5: ten rolling restarts behind a balancer with kept connections fail no call, with or without readiness checks",
        arguments: [true, false])
    func rolling(looksAtReadiness: Bool) async throws {
        try await withDeployment { deployment in
            let changes = ["DRAIN_SECONDS": looksAtReadiness ? "1" : "0", "SHUTDOWN_SECONDS": "60"]
            let balancer = Balancer(Self.request, looksAtReadiness: looksAtReadiness)
            var serving = try await [deployment.start(changes), deployment.start(changes)]
            for gateway in serving { balancer.add(gateway.port) }
            let tally = try await balancer.run(clients: 8) {
                for _ in 0..<10 {
                    let next = try await deployment.start(changes)
                    let calls = balancer.calls
                    balancer.add(next.port)
                    serving.append(next)
                    // Kept connections lead to both gateways when one of them stops.
                    try await poll(within: .seconds(60)) { balancer.calls >= calls + 50 ? () : nil }
                    let old = serving.removeFirst()
                    old.child.send(signal: SIGTERM)
                    #expect(await old.child.waitForExit(within: .seconds(60)) == 0)
                    balancer.remove(old.port)
                }
            }
            for gateway in serving { await gateway.expectGoodEnd() }
            #expect(tally.failures == [])
            #expect(tally.lastAnswers >= 10, "kept connections were told of their end")
        }
    }

    @Test(
        "K5: after the signal, readiness is false and answers close; until the drain ends, requests are accepted"
    )
    func drain() async throws {
        try await withGateway(["DRAIN_SECONDS": "3", "SHUTDOWN_SECONDS": "60"]) { gateway in
            let kept = try await PlainListener.connect(to: gateway.port)
            try await kept.executeThenClose { inbound, outbound in
                var parts = inbound.makeAsyncIterator()
                try await outbound.write(.init(string: Self.request))
                let first = try await parts.next().map { String(buffer: $0) }
                #expect(first?.lowercased().contains("connection: close") == false)
                gateway.child.send(signal: SIGTERM)
                let ready = try await poll(within: .seconds(2)) {
                    let answer = try await gateway.get("/health/ready")
                    return answer.status == 503 ? answer : nil
                }
                #expect(ready.json["checks"]?["accepting"]?.string == "failing")
                #expect(ready.json["status"]?.string == "not_ready")
                #expect(try await gateway.post("/v1/nonce").status == 200)
                try await outbound.write(.init(string: Self.request))
                let last = try await parts.next().map { String(buffer: $0) }
                #expect(last?.hasPrefix("HTTP/1.1 200 ") == true)
                #expect(last?.contains("Connection: close\r\n") == true)
            }
            #expect(await gateway.child.waitForExit(within: .seconds(60)) == 0)
        }
    }
}
