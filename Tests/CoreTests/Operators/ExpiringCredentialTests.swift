import Foundation
import Testing

@testable import Operators

@Suite("Expiring credentials")
struct ExpiringCredentialTests {
    private static let now = Date(timeIntervalSince1970: 1_800_000_000)

    private static func days(_ days: Double) -> Date { now.addingTimeInterval(days * 86_400) }

    static let ends: [(days: Double, kind: ExpiringCredential.Kind, state: ExpiringCredential.State)] = [
        (365, .certificate, .good), (30.01, .clientSecret, .good), (30, .clientSecret, .soon),
        (7.01, .certificate, .soon), (7, .certificate, .urgent), (0.01, .clientSecret, .urgent),
        (0, .clientSecret, .over), (-400, .certificate, .over),
        // The gateway activates the next key on its own.
        (5, .signingKey, .good), (-0.9, .signingKey, .good), (-1, .signingKey, .over),
    ]

    @Test("the remaining time decides: 30 days are soon, 7 urgent, none is over", arguments: ends)
    func states(days: Double, kind: ExpiringCredential.Kind, state: ExpiringCredential.State) {
        #expect(ExpiringCredential(kind, expires: Self.days(days)).state(at: Self.now) == state)
    }

    @Test("without a date the expiry is unknown if it could have one, else endless")
    func withoutDate() {
        for kind in ExpiringCredential.Kind.allCases {
            let mayEnd = kind == .certificate || kind == .clientSecret
            #expect(ExpiringCredential(kind).state(at: Self.now) == (mayEnd ? .unknown : .endless))
        }
    }

    @Test("the list is reloaded each time, soonest expiry first, without duplicate names")
    func list() {
        let list = ExpiringCredentials([
            { [ExpiringCredential(masterKey: "k2"), ExpiringCredential(masterKey: "k1")] },
            {
                [
                    ExpiringCredential(.clientSecret, of: "microsoft", expires: Self.days(9)),
                    ExpiringCredential(.clientSecret, of: "acme"),
                    ExpiringCredential(.clientKey, of: "apple", note: "KEY"),
                ]
            },
            { [ExpiringCredential(.certificate, expires: Self.days(2))] },
        ])
        #expect(
            list.all.map(\.name) == [
                "certificate", "microsoft_client_secret", "acme_client_secret", "apple_client_key", "master_key_k1",
                "master_key_k2",
            ])
    }
}
