import Accounts
import Foundation
import Outbound
import TestSupport
import Testing

@Suite("The range service for breached passwords")
struct BreachedPasswordsTests {
    /// The SHA-1 of "password" by `sha1sum` is 5BAA61E4C9B93F3F0682250B6CF8331B7EE68FD8.
    private static let (address, password) = ("https://breaches.example.org/range", Array("password".utf8))
    private static let suffix = "1E4C9B93F3F0682250B6CF8331B7EE68FD8"

    private func service(
        _ answer: Result<HTTPResponse, TransferError>
    ) -> (breaches: BreachedPasswords, far: FarSide) {
        let far = FarSide()
        far[Self.address + "/5BAA6"] = .init(headers: ["accept": "text/plain", "add-padding": "true"]) { _ in answer }
        return (BreachedPasswords(url: Self.address, transport: far), far)
    }

    private func lines(_ lines: String...) -> Result<HTTPResponse, TransferError> {
        .success(HTTPResponse(status: 200, body: Array(lines.joined(separator: "\r\n").utf8)))
    }

    @Test("a password of the range counts, and the service gets five digits only")
    func known() async {
        let (breaches, far) = service(lines("0018A45C4D1DEF81644B54AB7F969B88D65:3", "\(Self.suffix):42"))
        #expect(await breaches.contain(Self.password))
        #expect(far.calls.map(\.url) == [Self.address + "/5BAA6"])
    }

    @Test("other passwords and padding do not count")
    func unknown() async {
        for range in [lines("0018A45C4D1DEF81644B54AB7F969B88D65:3"), lines("\(Self.suffix):0"), lines("")] {
            #expect(await !service(range).breaches.contain(Self.password))
        }
    }

    @Test("a range is asked for once in its time")
    func cached() async {
        let (breaches, far) = service(lines("\(Self.suffix):1"))
        for _ in 0..<3 { #expect(await breaches.contain(Self.password)) }
        #expect(far.calls.count == 1)
    }

    @Test("without a usable answer no password counts, and the next one asks again")
    func failsOpen() async {
        let answers: [Result<HTTPResponse, TransferError>] = [
            .failure(.connectFailed), .success(HTTPResponse(status: 500, body: [])),
            .success(HTTPResponse(status: 404, body: Array("\(Self.suffix):1".utf8))),
        ]
        for answer in answers {
            let (breaches, far) = service(answer)
            #expect(await !breaches.contain(Self.password))
            #expect(await !breaches.contain(Self.password))
            #expect(far.calls.count == 2)
        }
    }
}
