import Cryptography
import JSON
import Logging
import Outbound
import SignIn
import TestSupport
import Testing

@Suite("The bot check service")
struct BotChecksTests {
    private static let hosts: Set = ["login.ducks.org", "ducks.org"]

    private static let address = "https://check.ducks.org/siteverify"

    private func service(
        _ answer: Result<HTTPResponse, TransferError>
    ) -> (checks: BotChecks, far: FarSide) {
        let far = FarSide()
        var endpoint = FarSide.Endpoint { _ in answer }
        endpoint.method = .post
        endpoint.fields = ["secret", "response", "remoteip"]
        far[Self.address] = endpoint
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        return (BotChecks(url: Self.address, secret: Secret("hush"), transport: far, logger: logger), far)
    }

    private func json(_ json: JSON, status: Int = 200) -> Result<HTTPResponse, TransferError> {
        .success(
            HTTPResponse(status: status, headers: [("Content-Type", "application/json")], body: json.bytes()))
    }

    private func verdict(_ answer: Result<HTTPResponse, TransferError>) async -> BotVerdict {
        await service(answer).checks.verdict(on: "token", from: "192.0.2.1", hosts: Self.hosts)
    }

    @Test("the service gets the secret, the token and the address")
    func request() async {
        let (checks, far) = service(json(["success": true]))
        #expect(await checks.verdict(on: "a+b", from: "192.0.2.1", hosts: Self.hosts) == .passed)
        #expect(far.calls.map(\.form) == [["secret": "hush", "response": "a+b", "remoteip": "192.0.2.1"]])
    }

    @Test(
        "only a clear yes passes",
        arguments: [
            ["success": true, "hostname": "login.ducks.org"], ["success": true, "hostname": "Ducks.org"],
        ] as [JSON])
    func passed(answer: JSON) async {
        #expect(await verdict(json(answer)) == .passed)
    }

    @Test(
        "a no, an answer without a yes, and a token of another host are refused",
        arguments: [
            ["success": false], [:], ["success": "true"], ["success": false, "error-codes": ["timeout-or-duplicate"]],
            ["success": false, "error-codes": ["invalid-input-response"]],
            ["success": true, "hostname": "evil.example.org"],
            ["success": true, "hostname": "login.ducks.org.evil.org"],
        ] as [JSON])
    func refused(answer: JSON) async {
        #expect(await verdict(json(answer)) == .refused)
    }

    @Test("3-N2: only an outage is no refusal: no answer in time, or a failure of the service")
    func unavailable() async {
        let outages: [Result<HTTPResponse, TransferError>] = [
            .failure(.timedOut), .failure(.connectFailed), json(["success": true], status: 503),
            json(["success": false, "error-codes": ["internal-error"]], status: 500),
        ]
        for answer in outages { #expect(await verdict(answer) == .unavailable) }
        // A caller's text may cause each of these.
        let others: [Result<HTTPResponse, TransferError>] = [
            .failure(.connectionLost), .failure(.responseTooLarge), .failure(.malformedResponse),
            json(["success": true], status: 429), .success(HTTPResponse(status: 200, body: Array("yes".utf8))),
            .success(HTTPResponse(status: 400, body: Array("bad request".utf8))), json([true]),
            json(["success": false, "error-codes": ["invalid-input-secret"]]),
            json(["success": false, "error-codes": ["sitekey-secret-mismatch"]]),
        ]
        for answer in others { #expect(await verdict(answer) == .refused) }
    }
}
