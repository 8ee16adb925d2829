import JSON
import Postgres
import TestSupport
import Testing

@testable import OperatorAccess

extension BrowserTests {
    /// The operators' console.
    @Suite struct Console {
        /// Two accounts of one user, with a unique name.
        private static func twins(_ gateway: GatewayProcess) async throws -> (name: String, one: String, other: String)
        {
            let name = "Ann \(Fresh.text().filter(\.isLetter))"
            let one = try await gateway.signUp(Fresh.email()).account
            let other = try await gateway.signUp(Fresh.email()).account
            for account in [one, other] { try await gateway.furnish(account, name: name, identity: Fresh.text()) }
            return (name, one, other)
        }

        @Test(
            "An operator signs in with two factors, finds two accounts, previews and merges them, and undoes the merge",
            arguments: [true, false])
        func merge(runsScripts: Bool) async throws {
            let gateway = try GatewayProcess.current
            let twins = try await Self.twins(gateway)
            try await Browser.run(gateway, BrowserOptions(runsScripts: runsScripts)) { browser in
                try await browser.openConsole(gateway, as: .admin)
                try await browser.fill("#q", twins.name.uppercased())
                try await browser.click("#search")
                // The previous page has its own results.
                try await browser.until("the two accounts") {
                    try await browser.text(of: "#results").contains(twins.name) ? () : nil
                }
                try await browser.visit("/admin/accounts/\(twins.one)")
                try await browser.click("section [data-do=merge]")
                try await browser.waitFor("#preview")
                try await browser.click("#swap")
                try await browser.arrive(at: "/admin/accounts/\(twins.other)/merge")
                try await browser.waitFor("#preview")
                try await browser.click("#swap")
                try await browser.arrive(at: "/admin/accounts/\(twins.one)/merge")
                try await browser.fill("#reason", "both are hers, by phone")
                try await browser.click("#confirm")
                try await browser.waitFor("#undo-it")
                #expect(try await gateway.status(of: twins.other) == "closed")
                try await browser.click("#undo-it")
                try await browser.fill("#reason", "they are two people")
                try await browser.click("#confirm")
                try await browser.arrive(at: "/admin/accounts/\(twins.one)")
                try await browser.until("the message that it is undone") {
                    try await browser.text(of: "#done").contains("undone") ? () : nil
                }
                #expect(try await gateway.status(of: twins.other) == "active")
            }
        }

        @Test("The preview shows an entered brand in its frame, and the form can be sent after it")
        func preview() async throws {
            let gateway = try GatewayProcess.current
            try await Browser.run(gateway) { browser in
                try await browser.openConsole(gateway, as: .owner)
                try await browser.visit("/admin/clients/app/change")
                try await browser.click("#part-brand summary")
                try await browser.fill("#brand_accent", "#1b6e3c")
                try await browser.click("#preview")
                try await browser.until("the answer in the frame") {
                    let hasField = try await browser.evaluate(
                        "return document.querySelector('.preview').contentDocument?.getElementById('username') != null")
                    return hasField == true ? () : nil
                }
                try await browser.take(Look.all[0])
                try Gallery.keep(try await browser.picture(Look.all[0]), named: "console-brand", Look.all[0])
                try await browser.click("#go-on")
                try await browser.waitFor("#reason")
                #expect(try await gateway.count("select count(*) from clients where brand is not null") == 0)
                // The browser says that it runs neither the frame's script nor its autofocus.
                let complaints = try await browser.complaints()
                #expect(!complaints.isEmpty && complaints.allSatisfy { $0.contains("sandboxed") }, "\(complaints)")
            }
        }

        @Test("The keyboard alone finds an account and disables it")
        func keyboard() async throws {
            let gateway = try GatewayProcess.current
            let twins = try await Self.twins(gateway)
            try await Browser.run(gateway) { browser in
                try await browser.openConsole(gateway, as: .support)
                try await browser.waitForFocus("#q")
                try await browser.typeKeys(twins.name)
                try await browser.press(Key.enter)
                try await browser.waitFor("#results a")
                try await browser.tab(to: "#results a")
                try await browser.press(Key.enter)
                try await browser.waitFor("#actions")
                try await browser.tab(to: "[data-do=disable]")
                try await browser.press(Key.enter)
                try await browser.waitFor("#reason")
                try await browser.tab(to: "#reason")
                try await browser.typeKeys("lost telephone")
                try await browser.press(Key.enter)
                try await browser.waitFor("#done")
                let statuses = [try await gateway.status(of: twins.one), try await gateway.status(of: twins.other)]
                #expect(statuses.sorted() == ["active", "disabled"])
            }
        }

        @Test(
            "A page of the console fits its window and passes axe",
            arguments: [ConsoleGalleryPage.account, .clientForm, .overview])
        func look(_ page: ConsoleGalleryPage) async throws {
            try await Self.expectGood(page, in: [Look(width: 390, scheme: "light"), Look(width: 1280, scheme: "dark")])
        }

        static func expectGood(_ page: ConsoleGalleryPage, in looks: [Look]) async throws {
            let gateway = try GatewayProcess.current
            let (one, other) = try await page.people(gateway)
            try await Browser.run(gateway) { browser in
                try await browser.openConsole(gateway, as: .owner, email: "olga@\(page.rawValue).example.com")
                try await browser.visit(page.path(one, other))
                try await browser.waitFor("h1")
                try await page.happen(gateway, browser, one)
                for look in looks {
                    try await browser.take(look)
                    let width = try await browser.evaluate("return document.scrollingElement.scrollWidth")
                    #expect((width.integer ?? .max) <= look.width, "\(look): the page scrolls sideways")
                    // One line of the bar; two would be over 80 pixels high.
                    let bar = try await browser.evaluate("return document.querySelector('.bar')?.offsetHeight ?? 0")
                    #expect(look.isPhone || (bar.integer ?? .max) <= 80, "\(look): the bar wraps: \(bar)")
                    let report = try await Axe.check(browser)
                    #expect(report.violations == [], "\(look)")
                    let picture = try await browser.picture(look)
                    #expect(picture.count > 5_000, "\(look): the picture is empty")
                    try Gallery.keep(picture, named: "console-\(page.rawValue)", look)
                }
            }
        }
    }

    /// The same of every page of the console, in every look.
    @Suite struct ConsoleLookLongTests {
        @Test(
            "Every page of the console fits its window and passes axe, in light and dark",
            arguments: ConsoleGalleryPage.allCases)
        func look(_ page: ConsoleGalleryPage) async throws {
            try await Console.expectGood(page, in: Look.all)
        }
    }
}

/// The console's pages in the operators' view.
enum ConsoleGalleryPage: String, CaseIterable, CustomTestStringConvertible {
    case search, nothing, account, done, disable, link, mergeWith = "merge-with", merge, split
    case splitPreview = "split-preview", operators, grant, refused
    case audit, auditExport = "audit-export", providers, overview, clients, client, clientForm = "client-form"
    case newClient = "new-client", clientSecret = "client-secret", live
    case endpoints, endpoint, newEndpoint = "new-endpoint", endpointAct = "endpoint-act"
    case messages, message, accessKeys = "access-keys", quickstart

    var testDescription: String { rawValue }

    /// A user with two accounts, with a unique name.
    func people(_ gateway: GatewayProcess) async throws -> (one: String, other: String) {
        let address = "ann@\(rawValue).example.com"
        if [.endpoints, .endpoint, .endpointAct].contains(self) {
            let endpoint = try await gateway.makeEndpoint("https://\(rawValue).shop.example.com/events")
            _ = try await gateway.tell(endpoint, states: ["delivered", "dead", "waiting"])
            return (endpoint, "")
        }
        let one = try await gateway.signUp(address).account
        let other = try await gateway.signUp("ann.lee@\(rawValue).example.org").account
        try await gateway.furnish(one, name: name, identity: "10987\(100 + place)43210", email: address)
        try await gateway.furnish(other, name: name, identity: "11223\(100 + place)98765", email: address)
        return (one, other)
    }

    /// Events while the page is open.
    func happen(_ gateway: GatewayProcess, _ browser: Browser, _ account: String) async throws {
        if self == .accessKeys {
            try await browser.fill("#reason", "the back end of the shop")
            try await browser.click("#issue")
            try await browser.waitFor("#key")
            try await browser.click("#go-on")
            try await browser.waitFor("#keys")
        }
        if self == .quickstart {
            for part in ["#ios", "#back_end", "#rp-kubernetes"] {
                try await browser.click("\(part) summary")
            }
        }
        guard self == .live else { return }
        try await browser.liveState("connected")
        try await gateway.writeEvents(3, Self.cause, account: account, words: "by telephone", actor: account)
        try await browser.rows(3)
        try await browser.click("#events tr:nth-child(2) summary")
    }

    private static let cause = "live_picture"

    /// A client of every test gateway.
    private static let app = "app"

    private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }

    private var name: String {
        let names = [
            "Ann Lee", "Bea Ray", "Cleo Fox", "Dora Kim", "Eva Moor", "Fay Hill", "Gwen Ash", "Hana Ito", "Ida Lund",
            "June Park", "Kaya Boyd", "Lena Voss", "Mia Stone", "Nell Cole", "Olive Hart", "Pia Holm", "Quinn Dale",
            "Rosa Vale", "Sara West", "Tess Lowe", "Uma Frost", "Vera Nash", "Wanda Roe", "Xenia Bell", "Yara Holt",
            "Zoe Pratt", "Abby Dunn", "Bibi Ames", "Cora Lind", "Dana Ross", "Ella Finn",
        ]
        return names[place]
    }

    func path(_ one: String, _ other: String) -> String {
        let account = "/admin/accounts/\(one)"
        return switch self {
        case .search: "/admin/accounts?q=\(name.replacing(" ", with: "%20"))"
        case .nothing: "/admin/accounts?q=nobody%20of%20this%20name"
        case .account: account
        case .done: "/admin/accounts/\(other)?done=disable"
        case .disable: "\(account)/change?do=disable"
        case .link: "\(account)/change?do=link"
        case .mergeWith: "\(account)/merge"
        case .merge: "\(account)/merge?with=\(other)"
        case .split: "\(account)/split?show=1"
        case .splitPreview: "\(account)/split?show=1&give_0=emails%20ann%40split-preview.example.com"
        case .operators: "/admin/operators"
        case .grant: "/admin/operators/change?do=grant&account=\(one)&role=support"
        case .refused: "/admin/accounts/00000000-0000-0000-0000-000000000000"
        case .audit: "/admin/audit?outcome=done"
        case .live: "/admin/audit/live?code=\(Self.cause)&outcome=refused"
        case .endpoints: "/admin/events"
        case .endpoint: "/admin/events/\(one)"
        case .newEndpoint: "/admin/new-endpoint"
        case .endpointAct: "/admin/events/\(one)/act?do=replay_dead"
        case .messages: "/admin/messages?language=de"
        case .message: "/admin/messages/code-sign-in?language=en"
        case .auditExport: "/admin/audit/export?outcome=refused&provider=google"
        case .providers: "/admin/providers"
        case .overview: "/admin/overview?span=month"
        case .clients: "/admin/clients"
        case .client: "/admin/clients/\(Self.app)"
        case .clientForm: "/admin/clients/\(Self.app)/change"
        case .newClient: "/admin/new-client"
        case .clientSecret: "/admin/clients/\(Self.app)/secret"
        case .accessKeys: "/admin/clients/\(Self.app)/access-keys"
        case .quickstart: "/admin/clients/\(Self.app)/quickstart?done=made"
        }
    }
}

extension Browser {
    /// Signs a new operator in at the console, and sets up the required second factor.
    ///
    /// - Returns: the account.
    @discardableResult
    func openConsole(_ gateway: GatewayProcess, as role: OperatorRole, email: String = Fresh.email()) async throws
        -> String
    {
        let person = try await Person(gateway, email: email)
        try await gateway.grant(role, to: person.account)
        try await visit("/admin")
        try await passwordSignIn(person.email)
        try await click("[id^=choose-totp]")
        try await person.setUpApp(self)
        try await click("#go-on")
        try await arrive(at: "/admin")
        try await waitFor("#q")
        return person.account
    }

    /// Presses the tab key until the element has the focus.
    func tab(to selector: String) async throws {
        for _ in 0..<80 {
            if try await isFocused(selector) { return }
            try await press(Key.tab)
        }
        throw HarnessError("The tab key doesn't reach \(selector).")
    }

    func typeKeys(_ text: String) async throws {
        for character in text { try await press(String(character)) }
    }
}
