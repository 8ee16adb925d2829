import HTTPTypes
import Hummingbird
import JSON
import Testing
import Traces

@testable import HTTPServer
@testable import Telemetry

private struct Unexpected: Error, CustomStringConvertible {
    let description = "select secret from table; eyJhbGciOiJub25lIn0.hush"
}

@Suite("The shell around a handler")
struct RequestShellTests {
    @Test("every answer has a request id, a date and a no-store rule")
    func headers() async throws {
        let shell = try TestShell { router in router.get("here") { _, _ in Response.json(["a": 1]) } }
        let response = await shell.send(.get, "/here").response
        #expect(response.status == .ok)
        #expect(response.headers[.cacheControl] == "no-store")
        #expect(response.headers[.xContentTypeOptions] == "nosniff")
        #expect(response.headers[.server] == nil)
        #expect(response.headers[.strictTransportSecurity] == nil)
        #expect(response.headers[.date]?.hasSuffix(" GMT") == true)
        #expect(response.headers[.requestID].map(RequestIDs.isHarmless) == true)
    }

    @Test("a handler's own caching rule stays, and an https PUBLIC_URL adds HSTS")
    func ownCaching() async throws {
        let shell = try TestShell(publicURL: "https://login.ducks.org") { router in
            router.get("keys") { _, _ in Response.json([], headers: [.cacheControl: "max-age=300"]) }
        }
        let response = await shell.send(.get, "/keys").response
        #expect(response.headers[values: .cacheControl] == ["max-age=300"])
        #expect(response.headers[.strictTransportSecurity] == "max-age=31536000")
    }

    @Test("an unknown route is a 404 problem", arguments: ["/nowhere", "/", "/here/there", "//here/x"])
    func unknownRoute(path: String) async throws {
        let shell = try TestShell { router in router.get("here") { _, _ in Response.json([]) } }
        let response = await shell.send(.get, path, headers: [.requestID: "my-id"]).response
        #expect(response.status == .notFound)
        #expect(response.headers[.contentType] == "application/problem+json")
        let body = try await response.json
        #expect(body["code"] == "not_found")
        #expect(body["status"] == 404)
        #expect(body["type"] == "http://localhost:8080/errors/not_found")
        #expect(body["request_id"]?.string?.hasSuffix(".my-id") == true)
    }

    @Test(
        "a known path under another method is a 405 that names the methods",
        arguments: ["PUT", "DELETE", "TRACE", "BREW"])
    func wrongMethod(method: String) async throws {
        let shell = try TestShell { router in
            router.get("things/:id") { _, _ in Response.json([]) }
            router.post("things/:id") { _, _ in Response.json([]) }
        }
        let response = await shell.send(try #require(HTTPRequest.Method(method)), "/things/7").response
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == "GET, HEAD, POST")
        #expect(try await response.json["code"] == "method_not_allowed")
    }

    @Test("N6: TRACE is 405 on every path", arguments: ["/here", "/nowhere"])
    func trace(path: String) async throws {
        let shell = try TestShell { router in router.get("here") { _, _ in Response.json([]) } }
        let response = await shell.send(.trace, path).response
        #expect(response.status == .methodNotAllowed)
        #expect(response.headers[.allow] == (path == "/here" ? "GET, HEAD" : ""))
    }

    @Test("N6: an IPv4-mapped IPv6 address of a peer or from a proxy is the IPv4 address")
    func mappedPeer() async throws {
        let shell = try TestShell(proxies: "10.0.0.0/8") { router in
            router.get("who") { _, context in Response.json(.string(context.clientAddress ?? "")) }
        }
        let peers = [
            ("::ffff:198.51.100.7", nil, "198.51.100.7"), ("198.51.100.7", nil, "198.51.100.7"),
            ("::ffff:10.0.0.1", "::FFFF:198.51.100.7", "198.51.100.7"), ("10.0.0.1", "2001:DB8:0::1", "2001:db8::1"),
        ]
        for (peer, forwarded, expected) in peers {
            let headers: HTTPFields = forwarded.map { [.known("X-Forwarded-For"): $0] } ?? [:]
            let outcome = await shell.send(.get, "/who", headers: headers, from: peer)
            #expect(try await outcome.response.json == .string(expected))
        }
    }

    @Test("F15: the answer repeats the caller's id, and the log puts the server's own id before it")
    func ownID() async throws {
        let shell = try TestShell { router in router.get("here") { _, _ in Response.json([]) } }
        for _ in 0..<2 {
            let response = await shell.send(.get, "/here", headers: [.requestID: "my-id"]).response
            #expect(response.headers[values: .requestID] == ["my-id"])
        }
        let ids = try await shell.log.json().compactMap { $0["request_id"]?.string }
        #expect(ids.count == 2 && Set(ids).count == 2)
        #expect(ids.allSatisfy { $0.wholeMatch(of: /[a-z0-9]{13}\.my-id/) != nil })
    }

    @Test(
        "F15: without a harmless caller's id, the answer has the server's id",
        arguments: [nil, "not harmless"] as [String?])
    func serversID(given: String?) async throws {
        let shell = try TestShell { router in router.get("here") { _, _ in Response.json([]) } }
        let fields: HTTPFields = given.map { [.requestID: $0] } ?? [:]
        let answered = try #require(await shell.send(.get, "/here", headers: fields).response.headers[.requestID])
        #expect(answered.wholeMatch(of: /[a-z0-9]{13}/) != nil)
        #expect(try await shell.log.json().map { $0["request_id"]?.string } == [answered])
    }

    @Test("F14: HSTS covers subdomains if configured", arguments: [false, true])
    func subdomains(isSet: Bool) {
        var fields: HTTPFields = [:]
        SecurityHeaders(isPubliclySecure: true, coversSubdomains: isSet).apply(to: &fields, requestID: "a")
        #expect(
            fields[.strictTransportSecurity] == (isSet ? "max-age=31536000; includeSubDomains" : "max-age=31536000"))
    }

    @Test("A-04: an unexpected error is a 500 without details, and a log line with the id but no token")
    func unexpectedError() async throws {
        let shell = try TestShell { router in router.get("fail") { _, _ -> Response in throw Unexpected() } }
        let response = await shell.send(.get, "/fail", headers: [.requestID: "my-id"]).response
        #expect(response.status == .internalServerError)
        let text = String(decoding: try await response.bytes, as: UTF8.self)
        #expect(text.contains("internal_error"))
        #expect(!text.contains("select"))
        let lines = try await shell.log.json()
        let line = try #require(lines.first { $0["level"] == "error" })
        #expect(line["request_id"]?.string?.hasSuffix(".my-id") == true)
        #expect(!line.text.contains("hush"))
    }

    @Test("a thrown problem becomes the answer, with its retry headers")
    func thrownProblem() async throws {
        let shell = try TestShell { router in
            router.get("wait") { _, _ -> Response in throw Problem(.tooManyRequests, code: "throttled", retryAfter: 7) }
        }
        let response = await shell.send(.get, "/wait").response
        #expect(response.status == .tooManyRequests)
        #expect(response.headers[.retryAfter] == "7")
        #expect(try await response.json["retry_after"] == 7)
    }

    @Test(
        "a target with NUL is malformed for every handler", arguments: ["/things/%00", "/things/a?q=b%00c"])
    func nul(path: String) async throws {
        let shell = try TestShell { router in router.get("things/:id") { _, _ in Response.json([]) } }
        let response = await shell.send(.get, path).response
        #expect(response.status == .badRequest)
        #expect(try await response.json["code"] == "bad_request")
        for good in ["/things/%2500", "/things/%0", "/things/a?q=%", "/things/100%2000"] {
            #expect(await shell.send(.get, good).response.status == .ok)
        }
    }

    @Test("the access line has the route's template and no query")
    func accessLine() async throws {
        let shell = try TestShell { router in router.get("things/:id") { _, _ in Response.json(["a": 1]) } }
        _ = await shell.send(.get, "/things/7?code=hush", headers: [.requestID: "my-id"])
        let lines = try await shell.log.json()
        #expect(lines.count == 1)
        let line = try #require(lines.first)
        #expect(line["route"] == "/things/{id}")
        #expect(line["method"] == "GET")
        #expect(line["status"] == 200)
        #expect(line["bytes"] == 7)
        #expect(line["request_id"]?.string?.hasSuffix(".my-id") == true)
        #expect(line["microseconds"]?.integer != nil)
        #expect(line["trace_id"]?.string?.wholeMatch(of: #/[0-9a-f]{32}/#) != nil)
        #expect(!line.text.contains("hush"))
    }

    @Test("the access line divides the time of the request")
    func accessCosts() async throws {
        let shell = try TestShell { router in
            router.get("here") { _, _ in
                let trace = try #require(RequestTrace.current)
                trace.add(.seconds(3), to: .database)
                trace.add(.seconds(4), to: .provider)
                trace.add(.seconds(5), to: .hashing)
                trace.add(statements: 7)
                return Response.json([])
            }
        }
        _ = await shell.send(.get, "/here")
        let line = try #require(try await shell.log.json().first)
        #expect(line["database_microseconds"] == 3_000_000 && line["provider_microseconds"] == 4_000_000)
        #expect(line["hashing_microseconds"] == 5_000_000 && line["statements"] == 7)
        #expect(line["gateway_microseconds"] == 0 && line["body_microseconds"] == 0)
    }

    @Test(
        "a caller's trace id is that of the line; a malformed or repeated header begins a new trace",
        arguments: [
            (["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"], true),
            (["00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7"], false),
            (
                [
                    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
                    "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b8-01",
                ], false
            ),
        ] as [([String], Bool)])
    func callersTrace(values: [String], isJoined: Bool) async throws {
        let shell = try TestShell { router in router.get("here") { _, _ in Response.json([]) } }
        var headers = HTTPFields()
        headers[values: .known("traceparent")] = values
        _ = await shell.send(.get, "/here", headers: headers)
        let line = try #require(try await shell.log.json().first)
        #expect((line["trace_id"] == "4bf92f3577b34da6a3ce929d0e0e4736") == isJoined)
    }

    @Test("requests are counted by route, and made-up paths together")
    func counted() async throws {
        let shell = try TestShell { router in router.get("things/:id") { _, _ in Response.json([]) } }
        for path in ["/things/1", "/things/2", "/made-up-1", "/made-up-2", "/made-up-3"] {
            _ = await shell.send(.get, path)
        }
        let known = shell.registry.counter(
            "http_requests", [("method", "GET"), ("route", "/things/{id}"), ("status", "200")])
        let unknown = shell.registry.counter(
            "http_requests", [("method", "any"), ("route", "none"), ("status", "404")])
        #expect(known.value == 2)
        #expect(unknown.value == 3)
        #expect(!PrometheusText.render(shell.registry.snapshot).contains("made-up"))
    }

    @Test("beyond the limit of concurrent requests, the answer is 503 with Retry-After, and places are freed")
    func overloaded() async throws {
        let shell = try TestShell(maximumRequests: 1) { router in router.get("here") { _, _ in Response.json([]) } }
        #expect(shell.load.enter())
        let refused = await shell.send(.get, "/here").response
        #expect(refused.status == .serviceUnavailable)
        #expect(refused.headers[.retryAfter] == "1")
        #expect(try await refused.json["code"] == "overloaded")
        shell.load.leave()
        #expect(await shell.send(.get, "/here").response.status == .ok)
        #expect(await shell.send(.get, "/nowhere").response.status == .notFound)
        #expect(shell.load.count == 0)
    }

    @Test("a request past its deadline is cancelled and answered with 503")
    func deadline() async throws {
        let (entered, signal) = AsyncStream<Void>.makeStream()
        let shell = try TestShell { router in
            router.get("stuck") { _, _ -> Response in
                signal.yield()
                try await Task.sleep(for: .seconds(600))
                return Response.json([])
            }
        }
        async let outcome = shell.send(.get, "/stuck")
        for await _ in entered { break }
        while shell.deadlines.count == 0 { await Task.yield() }
        shell.deadlines.cancelExpired(at: .now + .seconds(9))
        #expect(shell.deadlines.count == 1)
        shell.deadlines.cancelExpired(at: .now + .seconds(11))
        let response = await outcome.response
        #expect(response.status == .serviceUnavailable)
        #expect(try await response.json["code"] == "deadline_exceeded")
        #expect(shell.deadlines.count == 0)
        #expect(shell.load.count == 0)
    }
}
