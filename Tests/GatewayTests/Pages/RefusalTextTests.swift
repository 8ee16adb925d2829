import JSON
import Testing
import Vocabulary

@testable import Pages
@testable import Web

@Suite("The texts of refusals on pages")
struct RefusalTextTests {
    @Test("3-D14: every refusal that the pages can reach has a text of its own")
    func texts() throws {
        let page = try OpenAPIDocument.current.get()
        // The console has texts of its own.
        let operations = page.operations.filter { !$0.path.hasPrefix("/admin") }
        let codes = Set(operations.flatMap { ($0.json["x-page-codes"]?.array ?? []).compactMap(\.string) })
        #expect(codes.contains("temporary_password_expired") && codes.contains("provider_declined"))
        for code in codes.sorted() where code != "internal_error" {
            let hasNotice = WebRefusal(code: code).noticeCode != .internalError
            #expect(hasNotice || ProblemCode(rawValue: code) != nil, "\(code)")
        }
    }

    @Test("in production only the developer of an app that no operator added sees the detail")
    func details() {
        let document = WebRefusal(.clientDocumentRefused("it is no JSON object"))
        #expect(document.shownDetail(showsAll: false) == "The client document can't be used: it is no JSON object.")
        let client = WebRefusal(.clientUnknown(SentText("shopp")))
        #expect(client.shownDetail(showsAll: false) == nil)
        #expect(client.shownDetail(showsAll: true) == "No enabled client has the id shopp.")
    }

    @Test(
        "3-D14: a refusal by a provider that another answer solves is shown above the step's form",
        arguments: [.passwordRejected(["too_weak"]), .attributesRejected(["city"]), .codeExpired] as [Rejection])
    func asked(rejection: Rejection) throws {
        let problem = try #require(PageProblem(step: rejection, .resetPassword))
        #expect(problem.code == rejection.code)
        #expect(ProblemCode(rawValue: problem.code) != nil)
    }
}
