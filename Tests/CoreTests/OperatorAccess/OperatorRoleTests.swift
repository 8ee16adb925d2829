import Testing

@testable import OperatorAccess

@Suite("Roles of operators")
struct OperatorRoleTests {
    @Test("each role ranks above the previous one")
    func order() {
        #expect(OperatorRole.allCases == [.viewer, .support, .admin, .owner])
        #expect(OperatorRole.allCases.sorted() == OperatorRole.allCases)
        #expect(OperatorRole.admin > .support)
    }
}
