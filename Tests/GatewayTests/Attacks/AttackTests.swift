import Attacks
import Cryptography
import Foundation
import JSON
import Outbound
import Testing

/// What the attacker knows.
enum AttackedApp {
    static let redirectURI = "https://app.example.org/back"
    static let encodedRedirectURI = "https%3A%2F%2Fapp.example.org%2Fback"
    static let key = "the-key-of-the-attacker"
}

/// `gateway attack` against a real gateway, and against one that lacks a defence.
@Suite(
    "The command attack",
    .gateway([
        "CLIENT_REDIRECT_URIS": AttackedApp.redirectURI, "ATTACK_CHALLENGE": Ownership.challenge(of: AttackedApp.key),
        "THROTTLE_ACCOUNT_BURST": "20", "THROTTLE_ACCOUNT_PER_HOUR": "60",
    ]))
struct AttackTests {
    /// A target with a fresh account.
    private static func target(_ address: String, _ email: String) throws -> Target {
        Target(
            try RawExchange(address, patience: .seconds(150)),
            app: Target.App(id: "app", redirectURI: AttackedApp.redirectURI),
            account: Target.Account(email: email, password: Secret(GatewayProcess.password)),
            bounds: Target.Bounds(requestsPerSecond: 10_000, requests: 1_000))
    }

    private static func freshAccount(_ gateway: GatewayProcess) async throws -> String {
        let email = Fresh.email()
        _ = try await gateway.signUp(email)
        return email
    }

    /// The arguments of a run against an address.
    private static func arguments(_ address: String, _ email: String, _ more: String...) -> [String] {
        [
            "attack", address, "--client-id", "app", "--redirect-uri", AttackedApp.redirectURI, "--email", email,
            "--rate", "50", "--strict",
        ]
            + more
    }

    private static let password: [String: String?] = ["ATTACK_PASSWORD": GatewayProcess.password]

    @Test("every attack on a running gateway is tried, and its defence holds")
    func sound() async throws {
        let gateway = try GatewayProcess.current
        let email = try await Self.freshAccount(gateway)
        let file = "\(gateway.deployment.folder)/attack.xml"
        let arguments = Self.arguments("http://127.0.0.1:\(gateway.port)", email, "--json", "--junit", file)
        let result = try await gateway.deployment.run(arguments, changes: Self.password)
        #expect(result.exitCode == 0, "\(result.errors)")
        let rows = try result.output.split(separator: "\n").map { try JSON(parsing: String($0)) }
        #expect(rows.filter { $0["verdict"] != "held" } == [])
        #expect(rows.compactMap { $0["attack"]?.string } == Attack.all.map(\.title))
        let report = try String(contentsOfFile: file, encoding: .utf8)
        #expect(report.contains("tests=\"\(Attack.all.count)\" failures=\"0\" skipped=\"0\""))
        #expect(!(result.output + result.errors + report).contains(GatewayProcess.password))
    }

    @Test(
        "A-33: every attack finds the weakness that is planted for it, and nothing without it",
        arguments: Attack.all.map(\.title))
    func planted(title: String) async throws {
        let gateway = try GatewayProcess.current
        let attacks = Attack.all.filter { $0.title == title }
        let weakness = try #require(Weakness.all[title])
        let email = try await Self.freshAccount(gateway)
        let sound = try await StandIn.run(for: gateway, .none) { address in
            await AttackReport(attacks, on: try Self.target(address, email))
        }
        #expect(sound.lines.map(\.verdict) == [.held])
        let weak = try await StandIn.run(for: gateway, weakness) { address in
            await AttackReport(attacks, on: try Self.target(address, email))
        }
        #expect(weak.lines.map(\.verdict.word) == ["broken"], "\(weak.rows)")
    }

    @Test("every weakness belongs to an attack, and no two attacks have one title")
    func weaknesses() {
        #expect(Set(Attack.all.map(\.title)) == Set(Weakness.all.keys))
        #expect(Set(Attack.all.map(\.title)).count == Attack.all.count)
    }

    @Test("a broken defence is a failure of the command, in every form of the report")
    func broken() async throws {
        let gateway = try GatewayProcess.current
        let email = try await Self.freshAccount(gateway)
        let weakness = try #require(Weakness.all["the metrics at the public address"])
        let file = "\(gateway.deployment.folder)/broken.xml"
        let result = try await StandIn.run(for: gateway, weakness) { address in
            let arguments = Self.arguments(address, email, "--subject", "doors", "--junit", file)
            return try await gateway.deployment.run(arguments, changes: Self.password)
        }
        let evidence = "GET /metrics with no credential answered 200"
        #expect(result.exitCode == 1)
        #expect(result.output.contains("A-33\tdoors\tbroken\tthe metrics at the public address\t\(evidence)"))
        #expect(result.errors.contains("4 held, 1 broken, 0 not tried"), "\(result.errors)")
        let report = try String(contentsOfFile: file, encoding: .utf8)
        #expect(report.contains("failures=\"1\"") && report.contains("<failure message=\"\(evidence)\"/>"))
    }

    @Test("an attack without what it needs, or beyond the requests of the run, is not tried")
    func bounded() async throws {
        let gateway = try GatewayProcess.current
        let exchange = try RawExchange("http://127.0.0.1:\(gateway.port)")
        let bounds = Target.Bounds(requestsPerSecond: 1_000, requests: 4)
        let target = Target(exchange, app: nil, account: nil, bounds: bounds)
        let attacks = ["J-06", "F13", "W-12", "P-13"].compactMap { row in Attack.all.first { $0.row == row } }
        let report = await AttackReport(attacks, on: target)
        let needs = Verdict.notTried(reason: "it needs --client-id, --redirect-uri and --email")
        let over = Verdict.notTried(reason: "the run has sent its 4 requests")
        #expect(report.lines.map(\.verdict) == [needs, .held, .held, over])
        #expect(target.requests == 4 && !report.isBroken)
    }

    @Test("an interrupted run says so for each attack that it did not try, and sends nothing more")
    func interrupted() async throws {
        let target = try Self.target("http://127.0.0.1:\(try GatewayProcess.current.port)", Fresh.email())
        let run = Task {
            while !Task.isCancelled { await Task.yield() }
            return await AttackReport(Attack.all, on: target)
        }
        run.cancel()
        let report = await run.value
        #expect(report.lines.count == Attack.all.count && target.requests == 0)
        #expect(report.lines.allSatisfy { $0.verdict == .notTried(reason: "the run was interrupted") })
    }

    @Test(
        "a run with an unknown app, redirect address or account ends before its attacks, which would all hold",
        arguments: [("nobody", AttackedApp.redirectURI), ("app", "https://other.example.org/"), ("app", nil)])
    func wrongArguments(app: String, redirectURI: String?) async throws {
        let gateway = try GatewayProcess.current
        let arguments = [
            "attack", "http://127.0.0.1:\(gateway.port)", "--client-id", app, "--redirect-uri",
            redirectURI ?? AttackedApp.redirectURI, "--email", Fresh.email(), "--subject", "enumeration",
        ]
        let result = try await gateway.deployment.run(arguments, changes: Self.password)
        #expect(result.exitCode == 1 && result.output.isEmpty)
        let reason = redirectURI == nil ? "could not sign in: 401" : "is refused"
        #expect(result.errors.contains(reason), "\(result.errors)")
    }

    @Test("a path and a missing file are wrong arguments, and the empty report of a killed run is written again")
    func arguments() async throws {
        let gateway = try GatewayProcess.current
        let address = "http://127.0.0.1:\(gateway.port)"
        #expect(try await gateway.deployment.run("attack", "\(address)/login").exitCode == 64)
        #expect(try await gateway.deployment.run("attack", address, "--ca-file", "/nowhere").exitCode == 64)
        let file = "\(gateway.deployment.folder)/killed.xml"
        try Data().write(to: URL(filePath: file))
        let result = try await gateway.deployment.run("attack", address, "--subject", "cookies", "--junit", file)
        #expect(result.exitCode == 0, "\(result.errors)")
        #expect(try String(contentsOfFile: file, encoding: .utf8).hasPrefix(AttackReport.junitHead))
    }

    @Test("an address elsewhere is attacked only with the key of its challenge, and gets no request before")
    func ownership() async throws {
        let gateway = try GatewayProcess.current
        // The name is reserved (RFC 2606), so a request would fail with other words.
        let result = try await gateway.deployment.run("attack", "https://login.invalid")
        #expect(result.exitCode == 1)
        #expect(result.errors.contains("ATTACK_CHALLENGE=") && result.errors.contains("--key "), "\(result.errors)")
        let target = try Self.target("http://127.0.0.1:\(gateway.port)", "ann@example.com")
        #expect(try await Ownership.isProved(by: AttackedApp.key, at: target))
        #expect(try await !Ownership.isProved(by: Ownership.challenge(of: AttackedApp.key), at: target))
    }

    @Test(
        "only a literal loopback address or localhost is this machine",
        arguments: [
            ("http://127.0.0.1:8080", true), ("http://localhost:8080", true), ("http://[::1]:8080", true),
            ("https://127.9.9.9", true), ("https://10.0.0.1", false), ("https://localhost.example.com", false),
            ("https://127.0.0.1.example.com", false), ("https://login.example.com", false),
        ])
    func machine(address: String, isHere: Bool) throws {
        #expect(try RawExchange(address).isLoopback == isHere)
    }

    @Test("every attack names a row of the threat model, and stands in the page of attacks")
    func pages() throws {
        let (model, page) = (try Pages.text("docs/threat-model.md"), try Pages.text("docs/attack.md"))
        for attack in Attack.all {
            #expect(model.contains("\n| \(attack.row) |"), "\(attack.row)")
            #expect(page.contains("| \(attack.row) | \(attack.title) |"), "\(attack.title)")
        }
    }
}
