import Clients
import Foundation
import TestSupport
import Testing
import Vocabulary

@testable import Postgres
@testable import Sessions

@Suite("Changes by other servers", .timeLimit(.minutes(5)))
struct ChangeFeedTests {
    @Test("a removed key and a disabled app are noticed after any number of failed reads")
    func repeated() async throws {
        try await ListeningServer.with { server in
            try await server.listening {
                try await poll(within: .seconds(30)) { try await server.believes() ? () : nil }
                try await server.reads(2) {
                    try await server.run(
                        """
                        alter table signing_keys disable trigger all; alter table clients disable trigger all;
                        alter table signing_keys rename to away; alter table clients rename to gone;
                        notify gateway_keys; notify gateway_clients
                        """)
                }
                #expect(server.clients.client("app") != nil)
                try await server.run(
                    """
                    delete from away; update gone set disabled_at = now();
                    alter table away rename to signing_keys; alter table gone rename to clients
                    """)
                try await poll(within: .seconds(30)) { await server.refusal() == .tokenInvalid ? () : nil }
                try await poll(within: .seconds(30)) { server.clients.client("app") == nil ? () : nil }
            }
        }
    }

    @Test("after an outage, the cache is trusted only after a complete read")
    func catchingUp() async throws {
        try await ListeningServer.with { server in
            try await server.run("alter table clients rename column origins to gone")
            try await server.listening {
                // One read of the keys and three of the clients.
                try await server.reads(4) {}
                for _ in 0..<3 { #expect(try await !server.believes()) }
                try await server.run("alter table clients rename column gone to origins")
                try await poll(within: .seconds(30)) { try await server.believes() ? () : nil }
            }
        }
    }

    @Test("an ended session is noticed while keys and apps are unreadable")
    func revocation() async throws {
        try await ListeningServer.with { server in
            try await server.listening {
                try await poll(within: .seconds(30)) { try await server.believes() ? () : nil }
                let holder = try Connection(server.database.configuration())
                try holder.executeScript("begin; lock table client_claims, signing_keys")
                try await server.run("notify gateway_clients; notify gateway_keys")
                try await server.run(
                    """
                    update sessions set ended_at = now(), end_reason = 'signed_out';
                    select pg_notify('gateway_sessions', 'session:' || id) from sessions
                    """)
                try await poll(within: .seconds(30)) { await server.refusal()?.code == "session_ended" ? () : nil }
                try holder.executeScript("rollback")
            }
        }
    }

    @Test("K2: the cache is trusted for less than 0.9 seconds after the last sign of life")
    func silence() async throws {
        try await ListeningServer.with { server in
            server.directory.setFeed(isUp: true)
            let before = try await server.believes()
            server.directory.feedIsComplete(at: .now - SessionDirectory.patience)
            let silent = try await server.believes()
            server.directory.feedIsComplete(at: .now + .seconds(3_600))
            let alive = try await server.believes()
            #expect([before, silent, alive] == [false, false, true])
            #expect(SessionDirectory.patience <= .milliseconds(900))
        }
    }

    @Test("a token checked while its key is removed isn't cached as valid")
    func forgottenMeanwhile() async throws {
        try await ListeningServer.with { server in
            server.directory.setFeed(isUp: true)
            server.directory.feedIsComplete(at: .now + .seconds(3_600))
            let held = try await server.keyStore.load()
            for _ in 0..<300 {
                server.keys.replace(with: held)
                _ = try await server.directory.check(PresentedToken(server.token), at: Date())
                server.directory.forgetTokens()
                await withDiscardingTaskGroup { group in
                    for _ in 0..<4 { group.addTask { _ = await server.refusal() } }
                    group.addTask {
                        server.keys.replace(with: [])
                        server.directory.forgetTokens()
                    }
                }
                #expect(await server.refusal() == .tokenInvalid)
            }
        }
    }
}
