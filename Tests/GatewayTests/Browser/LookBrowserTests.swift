import JSON
import Testing

extension BrowserTests {
    /// The layout of pages, on phones and desktops, in light and dark mode.
    @Suite struct Looks {
        /// Controls smaller than the minimum target size (WCAG 2.2, 2.5.8).
        private static let smallControls = """
            return [...document.querySelectorAll('a[href], button, input:not([type=hidden])')].filter(control => {
                if (!control.checkVisibility()) return false
                const box = control.getBoundingClientRect()
                return box.width < 24 || box.height < 24
            }).map(control => control.id || control.textContent)
            """

        @Test(
            "A page fits its window and passes axe",
            arguments: [GalleryPage.login, .signUpProblem, .appCode, .account, .accountTwoStep])
        func look(_ page: GalleryPage) async throws {
            try await Self.expectGood(page, in: [Look(width: 390, scheme: "dark"), Look(width: 1280, scheme: "light")])
        }

        static func expectGood(_ page: GalleryPage, in looks: [Look]) async throws {
            let gateway = try GatewayProcess.current
            try await Browser.run(gateway, page.options) { browser in
                try await page.reach(browser, gateway)
                // axe needs timers, which require script. Script is enabled only after the page was loaded without it.
                try await browser.session.tools("Emulation.setScriptExecutionDisabled", ["value": false])
                for look in looks {
                    try await browser.take(look)
                    let width = try await browser.evaluate("return document.scrollingElement.scrollWidth")
                    #expect((width.integer ?? .max) <= look.width, "\(look): the page scrolls sideways")
                    #expect(try await browser.evaluate(smallControls) == [], "\(look)")
                    let report = try await Axe.check(browser)
                    #expect(report.violations == [], "\(look)")
                    #expect(report.passes > 5, "\(look)")
                    let picture = try await browser.picture(look)
                    #expect(picture.count > 5_000, "\(look): the picture is empty")
                    try Gallery.keep(picture, named: page.rawValue, look)
                }
            }
        }
    }

    /// The same of every page, in every look.
    @Suite struct LookLongTests {
        @Test("Every page fits its window and passes axe, in light and dark", arguments: GalleryPage.allCases)
        func look(_ page: GalleryPage) async throws {
            try await Looks.expectGood(page, in: Look.all)
        }
    }
}
