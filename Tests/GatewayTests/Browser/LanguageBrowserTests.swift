import Testing

extension BrowserTests {
    @Suite struct Languages {
        @Test(
            "Pages are in the browser's language",
            arguments: [
                ("de-DE,de,en", "de", "Anmelden", "Konto anlegen"), ("ja,en", "ja", "サインイン", "アカウントの作成"),
                ("nl-NL,nl", "en", "Sign in", "Create an account"),
            ])
        func speak(_ languages: String, _ language: String, _ login: String, _ signUp: String) async throws {
            try await Browser.run(try GatewayProcess.current, BrowserOptions(languages: languages)) { browser in
                for (page, heading) in [("/login", login), ("/sign-up", signUp)] {
                    try await browser.visit(page)
                    #expect(try await browser.attribute("lang", of: "html") == language)
                    #expect(try await browser.text(of: "h1") == heading)
                }
            }
        }
    }
}
