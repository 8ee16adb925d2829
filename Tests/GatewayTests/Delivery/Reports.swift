import Cryptography
import Foundation
import JSON
import Postgres
import TestSupport
import Testing

/// Reports of bounces in the form of a delivery service.
enum Reports {
    static let secret = "fedcba9876543210fedcba9876543210"
    static let path = "/v1/events/delivery"
    /// Accepts reports, and writes mails and text messages to files.
    static let configuration: [String: String?] = ["DELIVERY_EVENTS_SECRET": secret, "SMS_SENDER": "file"]

    /// The value of `Gateway-Signature`, made as docs/delivery.md describes.
    static func signature(of body: String, age: Int = 0, secret: String = secret) -> String {
        let time = Int(Date().timeIntervalSince1970) - age
        let code = HMACSHA256.code(Array("\(time).\(body)".utf8), key: Array(secret.utf8))
        return "t=\(time),v1=\(Hex.encode(code))"
    }

    static func request(_ body: String, signature: String?) -> TestRequest {
        let request = TestRequest("POST", path).header("Content-Type", "application/json").bytes(Array(body.utf8))
        return signature.map { request.header("Gateway-Signature", $0) } ?? request
    }
}

extension GatewayProcess {
    /// A well-formed report of a bounce.
    @discardableResult
    func reportBounce(_ id: String, medium: String = "email", sourceLocation: SourceLocation = #_sourceLocation)
        async throws -> TestAnswer
    {
        let report: JSON = [
            "medium": .string(medium), "id": .string(id), "state": "bounced", "reason": "550 5.1.1 no such user",
        ]
        let answer = try await send(
            Reports.request(report.text, signature: Reports.signature(of: report.text)))
        #expect(answer.status == 204, "\(answer.text)", sourceLocation: sourceLocation)
        #expect(answer.body.isEmpty, sourceLocation: sourceLocation)
        return answer
    }

    /// Reports a bounce of the newest message to an address or number.
    @discardableResult
    func bounceNewest(to address: String, medium: String = "email") async throws -> TestAnswer {
        try await reportBounce(try await newestMessage(to: address), medium: medium)
    }

    /// The id of the newest message to an address or number, after it was sent.
    func newestMessage(to address: String) async throws -> String {
        try await poll {
            try await self.sql { connection in
                try connection.queryOne(
                    """
                    select case when state = 'sent' then id::text end from outbox where address = \(address)
                     order by created_at desc limit 1
                    """)?.value(0, as: String?.self)
            }
        }
    }
}
