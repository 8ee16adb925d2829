import Foundation
import JSON
import TestSupport
import Testing

/// Unmodified software as relying parties.
///
/// A program beside these files drives each. The issuer is the gateway's address.
@Suite(
    "Stock relying parties",
    .gateway(changes: { _ in
        let port = try FreePort.choose()
        return ["PORT": "\(port)", "PUBLIC_URL": "http://localhost:\(port)"]
    }))
struct StockPartyTests {}

/// A program that drives a relying party: it prints a line for each question, and reads a line for each answer.
struct PartyDriver {
    private let process: ChildProcess
    /// Where `make test` gets the software from.
    private let source: String
    private var count = 0

    /// Starts a program beside this file with Python.
    ///
    /// - Parameters:
    ///   - packages: the folder of its Python packages in `var`; nil if it drives software of the distribution.
    static func python(_ script: String, _ words: [String], packages: String? = nil) throws -> PartyDriver {
        let paths = packages.map { ["PYTHONPATH": Configurations.root.appending(path: "var/\($0)").path] }
        return try PartyDriver(
            ["python3", path(script)] + words, environment: paths ?? [:], source: packages == nil ? "Debian" : "PyPI")
    }

    init(_ words: [String], environment: [String: String] = [:], source: String) throws {
        self.source = source
        process = try ChildProcess("/usr/bin/env", words, environment: environment, takesInput: true)
    }

    /// The path of a file beside this one.
    static func path(_ name: String) -> String {
        URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(name).path
    }

    /// Its next line.
    mutating func line() async throws -> String {
        let (process, source, number) = (process, source, count)
        count += 1
        return try await poll(within: .seconds(60)) { () throws -> String? in
            let code = process.exitCode
            if process.lines.count > number { return process.lines[number] }
            guard let code else { return nil }
            throw HarnessError(
                "The relying party has ended with \(code); 'make test' takes it from \(source).\n\(process.errors)")
        }
    }

    /// Its next line, which is JSON.
    mutating func json() async throws -> JSON { try JSON(parsing: try await line()) }

    func write(_ line: String) { process.write("\(line)\n".utf8) }

    /// Lets a visitor go where it asks, and gives it the address with which the gateway sends the visitor back.
    mutating func send(_ visitor: Visitor) async throws {
        write(try await visitor.follow(try await line()))
    }

    /// Expects that all its own checks held.
    func expectGoodEnd(sourceLocation: SourceLocation = #_sourceLocation) async {
        let code = await process.waitForExit()
        #expect(code == 0, "\(process.errors)", sourceLocation: sourceLocation)
    }
}

extension RelyingParty {
    /// The issuer, which software with a driver is configured with.
    var issuer: String { "http://localhost:\(gateway.port)" }
}

extension Visitor {
    /// Follows an address at the gateway, signs in and allows where it asks, and returns where it sends the visitor.
    func follow(_ address: String) async throws -> String {
        let issuer = "http://localhost:\(try GatewayProcess.current.port)"
        try await browser.visit(address.replacing(issuer, with: ""))
        if browser.page.forms.contains(where: { $0.action == "/login" }) { try await browser.passwordSignIn(email) }
        if let form = browser.page.forms.first(where: { $0.action == "/authorize/answer" }) {
            try await browser.post("/authorize/answer", form.fields + [("decision", "allow")])
        }
        return try #require(browser.departure, "\(browser.page.text)")
    }
}
