import Foundation
import JSON
import OperatorAccess
import Postgres
import Testing

extension BrowserTests.Console {
    @Test(
        "The live page shows each new row as text, holds rows back while paused, and ends with the role"
    )
    func live() async throws {
        let gateway = try GatewayProcess.current
        let (code, email) = (Fresh.text(), Fresh.email())
        let hostile = "<img src=x onerror=\"document.title='broken'\"><script>document.title='broken'</script>"
        try await Browser.run(gateway) { browser in
            let account = try await browser.openConsole(gateway, as: .viewer, email: email)
            try await gateway.furnish(account, name: hostile)
            try await browser.visit("/admin/audit?code=\(code)")
            try await browser.click("#live")
            try await browser.arrive(at: "/admin/audit/live")
            try await browser.liveState("connected")
            try await gateway.writeEvents(1, "other\(code)")
            try await gateway.writeEvents(1, code, account: account, words: hostile, actor: account)
            try await browser.rows(1)
            let row = try await browser.evaluate("return document.querySelector('#events tbody').textContent").string
            // As the text, as the account's name in the line and below it, as the operator's in both, and within the whole
            // row.
            #expect(row?.components(separatedBy: "<img src=x").count == 7)
            let made = try await browser.evaluate(
                "return document.querySelectorAll('#events img, #events script').length")
            #expect(made.integer == 0)
            #expect(try await browser.evaluate("return document.title").string?.contains("broken") == false)
            #expect(try await browser.has("#events a[href='/admin/accounts/\(account)']"))

            try await browser.click("#pause")
            try await gateway.writeEvents(2, code)
            try await browser.until("two rows to be held back", within: .seconds(200)) {
                try await browser.text(of: "#held").contains("2") ? () : nil
            }
            #expect(try await browser.evaluate("return document.querySelectorAll('#events tbody tr').length") == 1)
            try await browser.click("#pause")
            try await browser.rows(3)
            try await browser.untilAnnounced(["2", "3"])
            try await gateway.writeEvents(210, code)
            try await browser.rows(200)
            try await gateway.withdraw(from: account)
            try await browser.liveState("over")
        }
    }

    @Test("Without script the live page links to the log")
    func liveWithoutScript() async throws {
        let gateway = try GatewayProcess.current
        try await Browser.run(gateway, BrowserOptions(runsScripts: false)) { browser in
            try await browser.openConsole(gateway, as: .viewer)
            try await browser.visit("/admin/audit/live?outcome=done")
            try await browser.click("noscript a")
            let address = try await browser.arrive(at: "/admin/audit")
            #expect(address.queryItems?.contains { $0.name == "outcome" && $0.value == "done" } == true)
        }
    }
}

extension Browser {
    /// One of the numbers, since an earlier row may have been announced alone.
    func untilAnnounced(_ numbers: [String]) async throws {
        try await until("the announcement of new rows", within: .seconds(200)) {
            let words = try await evaluate("return document.getElementById('heard').textContent").string ?? ""
            return numbers.contains { words.contains($0) } ? () : nil
        }
    }

    func liveState(_ state: String) async throws {
        try await until("the state \(state)", within: .seconds(200)) {
            try await evaluate("return document.getElementById('live').dataset.state").string == state ? () : nil
        }
    }

    func rows(_ count: Int) async throws {
        try await until("\(count) rows", within: .seconds(200)) {
            try await evaluate("return document.querySelectorAll('#events tbody tr').length").integer == count
                ? () : nil
        }
    }
}

extension GatewayProcess {
    fileprivate func withdraw(from account: String) async throws {
        try await change("delete from operators where account_id = \(account)::uuid")
    }
}
