import JSON
import Testing

/// `samples/web` with `samples/api`, in a browser.
@Suite("samples/web", .serialized, .gatewayForSampleSite)
struct SampleWebBrowserLongTests {
    @Test("a user signs up, calls the API both ways, and loses only the online one with the session")
    func password() async throws {
        try await SampleSite.visit { gateway, browser in
            let email = Fresh.email()
            try await browser.click("[data-action=sign-up]")
            try await browser.waitFor("form[data-view=sign-up]")
            try await browser.fill("[name=username]", email)
            try await browser.fill("[name=password]", GatewayProcess.password)
            try await browser.click("[data-action=submit]")
            try await browser.waitFor("form[data-view=confirm_sign_up]")
            try await browser.type(try await gateway.mailedCode(to: email), into: "[name=code]")
            try await browser.click("[data-action=submit]")
            try await browser.waitForText(email, in: "#user")

            let other = try SignedInAnswer(try await gateway.passwordSignIn(email, GatewayProcess.password))
            try await browser.click("[data-call='/me']")
            try await browser.waitForText(#"200 {"id":"\#(other.account)"}"#, in: "#answer")
            try await browser.click("[data-call='/me/online']")
            try await browser.waitForText(#"200 {"id":"\#(other.account)"}"#, in: "#answer")

            #expect(try await gateway.signOut(other.accessToken, scope: "global").status == 204)
            try await browser.click("[data-call='/me/online']")
            try await browser.until("the refusal") {
                try await browser.text(of: "#answer").hasPrefix("401 ") ? () : nil
            }
            try await browser.click("[data-call='/me']")
            try await browser.waitForText(#"200 {"id":"\#(other.account)"}"#, in: "#answer")
            try await browser.click("#sign-out")
            try await browser.waitFor("form[data-view=start]")
            #expect(try await browser.evaluate("return document.getElementById('account').hidden").bool == true)
        }
    }

    @Test("a provider's button leads to the provider and back to the page")
    func provider() async throws {
        try await SampleSite.visit { _, browser in
            let email = Fresh.email()
            try await browser.click("[data-action=provider-google]")
            try await browser.allow(as: email)
            // The simulator gives a name, which the page shows first.
            try await browser.until("the user") { try await browser.text(of: "#user").hasSuffix(email) ? () : nil }
            try await browser.click("[data-call='/me/online']")
            try await browser.until("the answer") {
                try await browser.text(of: "#answer").hasPrefix("200 ") ? () : nil
            }
        }
    }
}

extension Browser {
    fileprivate func waitForText(_ text: String, in selector: String) async throws {
        try await until("\(text) in \(selector)") { try await self.text(of: selector) == text ? () : nil }
    }
}
