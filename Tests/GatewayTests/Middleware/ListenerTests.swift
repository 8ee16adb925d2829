import Foundation
import Hummingbird
import JSON
import Logging
import Testing

@testable import HTTPServer

@Suite("The listener", .timeLimit(.minutes(30)))
struct ListenerTests {
    @Test("a thousand connections at once are all answered")
    func thousand() async throws {
        let count = try await PlainListener.run { server in
            try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<1_000 {
                    group.addTask {
                        try await server.exchange("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                            .hasPrefix("HTTP/1.1 200 OK\r\n")
                    }
                }
                return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
            }
        }
        #expect(count == 1_000)
    }

    @Test("A-10: an endless head is cut off at the idle limit")
    func slowHead() async throws {
        let started = ContinuousClock.now
        let answer = try await PlainListener.run(idleSeconds: 1) { server in
            try await server.exchange("GET / HTTP/1.1\r\nHost: x\r\nX-Slow: ")
        }
        #expect(answer == "")
        #expect(ContinuousClock.now - started < .seconds(90))
    }

    @Test("A-10: a body that stops is cut off at the idle limit")
    func stalledBody() async throws {
        let shell = try TestShell { router in
            router.post("echo") { request, _ in Response.json(.object(try await JSONBody.changes(request))) }
        }
        let answer = try await PlainListener.run(idleSeconds: 1, shell.shell.respond) { server in
            try await server.exchange("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{")
        }
        #expect(!answer.contains("200 OK"))
    }

    @Test("a body that is too large gets a readable answer before the connection closes")
    func closesAfterRefusal() async throws {
        let shell = try TestShell { router in router.post("echo") { _, _ in Response.json([]) } }
        let answer = try await PlainListener.run(answer(shell)) { server in
            try await server.exchange("POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 9999999\r\n\r\nxxxx")
        }
        #expect(answer.hasPrefix("HTTP/1.1 413 "))
        #expect(answer.contains("body_too_large"))
    }

    private func answer(_ shell: TestShell) -> HTTPListener.Answer {
        { await shell.shell.respond(to: $0, from: $1) }
    }

    @Test("a used port gives an error that names its setting")
    func portInUse() async throws {
        try await PlainListener.run { server in
            let second = HTTPListener(
                host: "127.0.0.1", port: server.port, setting: "OPS_PORT", publicURL: "http://localhost:8080",
                limits: .init(maximumConnections: 10),
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                answer: { _, _ in .init(response: .json([])) })
            let error = await #expect(throws: StartError.self) { try await second.run() }
            let fault = "Port \(server.port) on 127.0.0.1 is in use by another program."
            #expect(error?.description == "\(fault) Stop that one, or set OPS_PORT to a free port.")
        }
    }

    @Test(
        "a used port of either listener ends the start before the other accepts requests",
        arguments: ["PORT", "OPS_PORT"])
    func portInUseAtStart(setting: String) async throws {
        try await withDeployment { deployment in
            let refused = try await PlainListener.run { server in
                try await deployment.run("serve", changes: [setting: "\(server.port)"])
            }
            #expect(refused.exitCode == 1)
            #expect(refused.errors.contains("is in use by another program. Stop that one, or set \(setting) to a free"))
            let written = refused.errors + refused.output
            #expect(!written.contains("listening") && !written.contains("CancellationError"), "\(written)")
        }
    }
}
