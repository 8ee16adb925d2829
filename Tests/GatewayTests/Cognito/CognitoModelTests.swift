import Foundation
import JSON
import Testing

@testable import Cognito

/// The door beside Amazon's newest description of the API, so that a new release of its SDK shows as a difference.
@Suite("Cognito's API and the newest botocore")
struct CognitoModelTests {
    /// Read once, because that takes seconds without optimization.
    private static let current = Result { try read() }

    private static func model() throws -> JSON { try current.get() }

    /// The description, which `make test` fetches: scripts/lib/packages.sh.
    private static func read() throws -> JSON {
        let place = Configurations.root.appending(path: "var/cognito/service-2.json")
        let data = try #require(try? Data(contentsOf: place), "'make test' takes the description from PyPI.")
        return try JSON(
            parsing: Array(data), limits: JSONLimits(bytes: 16 << 20, members: 1_000_000, numberLength: 64))
    }

    private static func names(_ member: JSON?) -> [String] { (member?.object?.members ?? []).map(\.name) }

    @Test("the operations that the door lacks are those of docs/compatibility/cognito.md")
    func operations() throws {
        let offered = CognitoOperation.allCases.map(\.rawValue) + CognitoAdminOperation.allCases.map(\.rawValue)
        let all = Self.names(try Self.model()["operations"])
        #expect(Set(offered).subtracting(all) == [])
        let page = try Pages.text("docs/compatibility/cognito.md")
        let table = try #require(Pages.between("<!-- absent -->", "<!-- /absent -->", in: page))
        let named = table.matches(of: /`([A-Za-z]+)`/).map { String($0.output.1) }
        #expect(named.count == Set(named).count)
        let absent = Set(all).subtracting(offered)
        #expect(absent.subtracting(named) == [], "operations that are neither offered nor named on the page")
        #expect(Set(named).subtracting(absent) == [], "operations of the page that are offered or no longer exist")
    }

    @Test("the operations without a signature are those that users call")
    func unsigned() throws {
        let operations = try #require(try Self.model()["operations"]?.object)
        let unsigned = operations.members.filter { $0.value["authtype"] == "none" }.map(\.name)
        let offered = CognitoOperation.allCases.map(\.rawValue)
        // It takes a signature or the credentials of the app.
        #expect(Set(offered).subtracting(unsigned) == ["GetDerivedToken"])
        #expect(Set(unsigned).subtracting(offered) == ["UpdateAuthEventFeedback"])
        #expect(Set(unsigned).isDisjoint(with: CognitoAdminOperation.allCases.map(\.rawValue)))
    }

    @Test("the flows and challenges of the door are those of the description")
    func words() throws {
        let shapes = try Self.model()["shapes"]
        func words(_ shape: String) -> Set<String> { Set((shapes?[shape]?["enum"]?.array ?? []).compactMap(\.string)) }
        #expect(words("AuthFlowType") == Set(CognitoSignIn.Flow.allCases.map(\.rawValue)))
        // A challenge of no flow.
        #expect(
            words("ChallengeNameType").subtracting(["ADMIN_NO_SRP_AUTH"])
                == Set(CognitoChallenge.Name.allCases.map(\.rawValue)))
    }
}
