import Foundation
import JSON
import Testing
import WebAuthnTestAuthenticator

/// The API refuses a member that it does not know; a misspelt one would count as absent.
///
/// `docs/openapi.yaml` says where, and these tests ask the server.
@Suite("Unknown members", .gateway(StepServer.withApps.merging(Reports.configuration) { $1 }))
struct UnknownMemberTests {
    private let places: [RequestPlace]

    init() throws {
        places = RequestPlace.all(in: try OpenAPIDocument.current.get())
    }

    @Test("each object of a JSON body states whether it may have other members")
    func stated() {
        #expect(places.count > 100)
        for place in places { #expect(place.schema["additionalProperties"] != nil, "\(place)") }
    }

    @Test("the server refuses each member that the document does not know, nested ones too, and names it")
    func refused() async throws {
        let caller = try await Caller.make()
        let closed = places.filter(\.isClosed)
        let complaints = try await caller.ask(closed) { place in
            ["pasword"] + neighbours(of: place).subtracting(place.names).sorted()
        } judge: { place, member, faults in
            let refusals: Set = ["unknown_member", "can_not_be_changed_here"]
            return faults.contains { $0.pointer == place.pointer + "/\(member)" && refusals.contains($0.code) }
        }
        #expect(complaints == [])
    }

    @Test("the server knows each member that the document names")
    func known() async throws {
        let complaints = try await Caller.make().ask(places, \.members) { _, _, faults in
            !faults.contains { $0.code == "unknown_member" }
        }
        #expect(complaints == [])
    }

    @Test("an object that may have any member accepts one: names, passkeys, key sets, and what others send")
    func open() async throws {
        let open = Set(places.filter { $0.schema["additionalProperties"] == true }.map(\.description))
        #expect(
            open == [
                "POST /v1/sign-in /credential/name AppleCredential",
                "POST /v1/account/identities /credential/name AppleCredential",
                "POST /v1/sign-in/continue /response/credential ", "POST /v1/password/reset /response/credential ",
                "POST /v1/sign-up/confirm /response/credential ",
                "POST /v1/account/factors/confirm /response/credential ",
                "POST /v1/events/delivery  ", "POST /v1/events/apple  ", "POST /v1/register  ",
                "PUT /v1/register/{id}  ", "POST /v1/register /jwks ", "PUT /v1/register/{id} /jwks ",
                "POST /admin/api/v1/clients /openid/jwks ",
                "PATCH /admin/api/v1/clients/{id} /openid/jwks ",
            ])
        let gateway = try GatewayProcess.current
        var apple = try await gateway.simulator.mint("apple").credential()
        apple["name"] = ["given": "Ann", "middle": "B"]
        #expect(try await gateway.signIn("apple", credential: apple).status == 200)

        var key = try await gateway.passkeyHolder().key
        let begun = try PendingAnswer(try await gateway.begin("passkey"))
        let asserted = try key.assert(try #require(begun.step["passkey"]))
        var assertion = try #require(asserted.object)
        assertion["newer"] = 1
        #expect(try await gateway.answer(begun.flow, ["credential": .object(assertion)]).status == 200)

        let report: JSON = ["medium": "email", "id": "nobody", "state": "bounced", "newer": 1]
        let reported = try await gateway.send(
            Reports.request(report.text, signature: Reports.signature(of: report.text)))
        #expect(reported.status == 204, "\(reported.text)")

        let subject = try await gateway.applePerson().subject
        let event: JSONObject = ["type": "email-disabled", "subject": .string(subject)]
        var notification = try #require(try await gateway.simulator.notification(event).object)
        notification["newer"] = 1
        #expect(try await gateway.notify(.object(notification)).status == 200)
    }

    @Test("3-R11: what accompanies Apple's token is refused by name, as the page says", arguments: ["user", "email"])
    func besideApplesToken(member: String) async throws {
        var credential: JSONObject = ["id_token": "x"]
        credential[member] = ["email": "a@example.com"]
        let answer = try await GatewayProcess.current.post(
            "/v1/sign-in", ["provider": "apple", "client_id": "app", "credential": .object(credential)])
        let fault = answer.json["errors"]?.array?.first
        #expect(fault?["pointer"]?.string == "/credential/\(member)" && fault?["code"] == "unknown_member")
    }

    /// The members that other requests about the same things have: a decoder is likelier to know these.
    private func neighbours(of place: RequestPlace) -> Set<String> {
        let family = Self.family(place)
        return places.filter { Self.family($0) == family }.reduce(into: []) { $0.formUnion($1.members) }
    }

    private static func family(_ place: RequestPlace) -> [Substring] {
        let parts = place.operation.path.split(separator: "/")
        return Array(parts.prefix(parts.first == "admin" ? 4 : 2))
    }
}

/// Sends requests as an owner or as a user.
private struct Caller: Sendable {
    struct Fault: Sendable {
        let pointer: String
        let code: String
    }

    let gateway: GatewayProcess
    let owner: String
    let user: String

    static func make() async throws -> Caller {
        let gateway = try GatewayProcess.current
        return Caller(
            gateway: gateway, owner: try await gateway.operatorSession("owner").accessToken,
            user: try await gateway.anyone().accessToken)
    }

    /// Sends one request for each member of each place.
    ///
    /// - Returns: those that `judge` does not accept.
    func ask(
        _ places: [RequestPlace], _ members: (RequestPlace) -> [String],
        judge: @escaping @Sendable (RequestPlace, String, [Fault]) -> Bool
    ) async throws -> [String] {
        let questions = places.map { ($0, members($0)) }
        return try await inParallel(questions) { place, members in
            var complaints: [String] = []
            for member in members {
                let answer = try await send(place.body(with: member), to: place.operation)
                let faults = (answer.json["errors"]?.array ?? []).map {
                    Fault(pointer: $0["pointer"]?.string ?? "", code: $0["code"]?.string ?? "")
                }
                if !judge(place, member, faults) { complaints.append("\(place)/\(member): \(answer.text)") }
            }
            return complaints
        }.flatMap(\.self)
    }

    private func send(_ body: JSON, to operation: OpenAPIDocument.Operation) async throws -> TestAnswer {
        let path = operation.path.replacing(#/\{\w+\}/#, with: UUID().uuidString.lowercased())
        let request = TestRequest(operation.method, path).json(body)
        if operation.path.hasPrefix("/admin/") { return try await gateway.send(request.bearer(owner)) }
        let isSignedIn = operation.json["security"]?.array?.contains { $0["bearer"] != nil } == true
        return try await gateway.send(isSignedIn ? request.bearer(user) : request)
    }
}
