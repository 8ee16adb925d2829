import Foundation
import Operators
import Testing

@testable import GatewaySettings

@Suite("The expiry day of a client secret")
struct ClientSecretEndTests {
    static let prefixes = ["AMAZON", "MICROSOFT", "COGNITO", "OIDC_ACME"]

    private static let providers = [
        "AMAZON_CLIENT_IDS": "a", "MICROSOFT_CLIENT_IDS": "a",
        "MICROSOFT_TENANT_IDS": "aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeef", "COGNITO_CLIENT_IDS": "a",
        "COGNITO_REGION": "eu-west-1", "COGNITO_USER_POOL_ID": "eu-west-1_Ducks", "OIDC_PROVIDERS": "acme",
        "OIDC_ACME_ISSUER": "https://id.ducks.org", "OIDC_ACME_CLIENT_IDS": "a",
    ]

    private static func changes(_ prefix: String, secret: String?, expires: String) -> [String: String?] {
        var changes = providers.mapValues { String?.some($0) }
        changes["\(prefix)_CLIENT_SECRET"] = .some(secret)
        changes["\(prefix)_CLIENT_SECRET_EXPIRES"] = expires
        return changes
    }

    @Test("is the first moment of that day in UTC", arguments: prefixes)
    func day(prefix: String) throws {
        let configuration = try Configurations.read(Self.changes(prefix, secret: "hush", expires: "2027-05-01"))
        let credentials = configuration.providers.credentials
        #expect(credentials.map(\.kind) == [.clientSecret])
        #expect(credentials.map(\.provider) == [prefix.split(separator: "_").last?.lowercased()])
        #expect(credentials.first?.expires == Date(timeIntervalSince1970: 1_809_129_600))
    }

    @Test("is optional and may be past, because a server must still start", arguments: prefixes)
    func unsetAndPast(prefix: String) throws {
        let unset = try Configurations.read(Self.changes(prefix, secret: "hush", expires: ""))
        #expect(unset.providers.credentials.map { $0.state(at: Date()) } == [.unknown])
        let past = try Configurations.read(Self.changes(prefix, secret: "hush", expires: "2020-02-29"))
        #expect(past.providers.credentials.map { $0.state(at: Date()) } == [.over])
    }

    @Test(
        "is refused if it is malformed, with its key", arguments: prefixes,
        [
            "2027-02-29", "2027-13-01", "2027-00-10", "2027-5-1", "27-05-01", "01.05.2027", "20270501", "tomorrow",
            "2027-05-01T00:00:00Z", "2027-05-01Z", "+2027-05-01",
        ])
    func noDay(prefix: String, text: String) {
        let complaints = Configurations.complaints(Self.changes(prefix, secret: "hush", expires: text))
        #expect(complaints == ["\(prefix)_CLIENT_SECRET_EXPIRES: must be a date such as 2026-12-31"])
    }

    @Test("is refused without the secret", arguments: prefixes)
    func withoutSecret(prefix: String) {
        let complaints = Configurations.complaints(Self.changes(prefix, secret: nil, expires: "2027-05-01"))
        #expect(complaints == ["\(prefix)_CLIENT_SECRET_EXPIRES: needs \(prefix)_CLIENT_SECRET"])
    }

    @Test("Apple's key and the master keys are listed by their ids, without key texts")
    func keys() throws {
        let configuration = try Configurations.read([
            "APPLE_NATIVE_CLIENT_IDS": "org.ducks.app", "APPLE_TEAM_ID": "DUCKS12345", "APPLE_KEY_ID": "KEY1234567",
            "APPLE_PRIVATE_KEY": Configurations.appleKey(),
        ])
        let began = Date(timeIntervalSince1970: 1_800_000_000)
        let all = ExpiringCredentials(configuration, certificateEnd: { nil }, signingSince: { began }).all
        #expect(all.map(\.name) == ["signing_key", "apple_client_key", "master_key_k1"])
        #expect(all.map(\.note) == [nil, "KEY1234567", "k1"])
        #expect(all.first?.expires == began.addingTimeInterval(90 * 86_400))
    }
}
