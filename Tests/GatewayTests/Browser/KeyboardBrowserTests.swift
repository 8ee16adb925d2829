import JSON
import Testing

extension BrowserTests {
    @Suite struct Keyboard {
        /// The controls that the keyboard must reach, in page order.
        private static let controls = """
            return [...document.querySelectorAll('a[href], button, summary, input:not([type=hidden])')]
                .filter(control => control.checkVisibility()).map(control => control.id || control.getAttribute('href')?.split('?')[0] || control.tagName)
            """
        /// The focused element, and its visible outline.
        private static let focus = """
            const control = document.activeElement, style = getComputedStyle(control)
            return [control.id || control.getAttribute('href')?.split('?')[0] || control.tagName, style.outlineStyle,
                parseFloat(style.outlineWidth), control.getBoundingClientRect().top + window.scrollY]
            """

        @Test("The tab key reaches every control of the login page in order, and each shows that it has the focus")
        func tab() async throws {
            try await Browser.run(try GatewayProcess.current) { browser in
                try await browser.visit("/login")
                try await browser.click("#other-ways summary")
                let controls = try await browser.evaluate(Self.controls).array?.compactMap(\.string) ?? []
                #expect(controls.count == WebSignInTests.providers.count + 6)
                try await browser.evaluate("document.getElementById('username').focus()")
                var (reached, top) = (["username"], 0.0)
                for _ in controls.dropFirst() {
                    try await browser.press(Key.tab)
                    let focus = try await browser.evaluate(Self.focus).array ?? []
                    try #require(focus.count == 4)
                    let name = focus[0].string ?? ""
                    reached.append(name)
                    #expect(focus[1] == "solid", "\(name)")
                    #expect((focus[2].double ?? 0) >= 2, "\(name)")
                    #expect((focus[3].double ?? 0) >= top, "\(name) stands above what came before")
                    top = focus[3].double ?? 0
                }
                #expect(reached == controls)
                #expect(try await browser.evaluate("return getComputedStyle(document.body).outlineStyle") == "none")
            }
        }

        @Test("Enter submits the form of the name, and that of the password")
        func enter() async throws {
            let gateway = try GatewayProcess.current
            let email = Fresh.email()
            _ = try await gateway.signUp(email)
            try await Browser.run(gateway) { browser in
                try await browser.visit("/login")
                try await browser.fill("#username", email)
                try await browser.type(Key.enter, into: "#username")
                try await browser.waitFor("#password")
                try await browser.fill("#password", GatewayProcess.password)
                try await browser.type(Key.enter, into: "#password")
                try await browser.arrive(at: "/account")
            }
        }
    }
}
