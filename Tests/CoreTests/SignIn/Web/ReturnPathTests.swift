import Testing

@testable import SignIn

@Suite("Return paths of a sign-in")
struct ReturnPathTests {
    @Test(
        "A page of the console, and that for the code of a device, is a target, unchanged",
        arguments: [
            "/admin", "/admin?q=", "/admin?q=ann%20lee&cursor=x.y_z~", "/admin/operators",
            "/admin/accounts/0199a5a2-6f0c-7d3e-8a44-1f2e3d4c5b6a",
            "/admin/accounts/0199a5a2-6f0c-7d3e-8a44-1f2e3d4c5b6a/change?do=require_proof&address=ann%2Blee%40example.com",
            "/admin?q=%2F%2Fevil.example", "/admin/clients/com.example.app/change", "/admin/clients/Shop_1",
            "/device", "/device?user_code=WDJB-MJHT",
        ])
    func pages(path: String) {
        #expect(ReturnPath(path)?.text == path)
    }

    @Test(
        "Every other path is refused, in every spelling",
        arguments: [
            "", "/", "//evil.example", "///evil.example", "/\\evil.example", "\\\\evil.example", "https://evil.example",
            "https:evil.example", "javascript:alert(1)", "//evil.example/admin", "/\\evil.example/admin", "admin",
            " /admin",
            "/ admin", "/admin ", "\t/admin", "/\tadmin", "/ad\nmin", "/admin\r\nSet-Cookie: a=b",
            "/admin%0d%0aSet-Cookie:a",
            "/%2F%2Fevil.example", "/%61dmin", "/%2e%2e/admin", "/admin/../login", "/admin/..%2flogin",
            "/admin/%2e%2e/account",
            "/admin//evil.example", "/admin/", "/admin/.", "/admin/accounts/x/", "/administrator",
            "/admin@evil.example",
            "/admin:8080", "/admin;x", "/admin#x", "/admin?x#y", "/admin?a b", "/admin?a\"b", "/admin?<b>", "/admin?a%",
            "/admin?a%2", "/admin?a%zz", "/admin?\u{202E}", "/admin/\u{FF0F}evil", "/Admin", "/admin/ACCOUNTS",
            "/account",
            "/admin/clients/..", "/admin/clients/.x", "/admin/clients/../x", "/admin/clients/%2e%2e",
            "/admin/clients/a.b/..",
            "/admin/accounts/a.b", "/admin/Clients/a.b",
            "/login", "/logout", "/admin/api", "/admin/api/v1/accounts", "/admin/a/b/c/d/e/f", "@evil.example/admin",
            "/admin?" + String(repeating: "a", count: 600),
        ])
    func others(path: String) {
        #expect(ReturnPath(path) == nil)
    }
}
