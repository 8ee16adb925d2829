import JSON
import TestSupport
import Testing

extension BrowserTests {
    /// What a test leaves in a browser that the next test uses.
    @Suite struct Reuse {
        private static let store = """
            localStorage.setItem('kept', 'yes')
            sessionStorage.setItem('kept', 'yes')
            document.cookie = 'kept=yes'
            """
        private static let look = """
            return [localStorage.getItem('kept'), sessionStorage.getItem('kept'), document.cookie, history.length]
            """

        @Test("A browser has no cookies, storage, history, logs, emulation or windows of an earlier test")
        func nothingKept() async throws {
            let page: JSON = ["url": .string("http://localhost:\(try GatewayProcess.current.port)/login")]
            try await Gate.browsers.hold {
                let running = try await RunningBrowser.take(BrowserOptions())
                do {
                    try await Self.expectNothingKept(on: running, page)
                    try await running.giveBack()
                } catch {
                    await running.end()
                    throw error
                }
            }
        }

        private static func expectNothingKept(on running: RunningBrowser, _ page: JSON) async throws {
            let session = running.session
            try await session.post("url", page)
            try await session.post("execute/sync", ["script": .string(store), "args": []])
            try await session.tools("Emulation.setScriptExecutionDisabled", ["value": true])
            try await session.post("window/new", ["type": "window"])
            try await running.forget()
            #expect(try await session.get("window/handles").array?.count == 1)
            for log in ["browser", "performance"] {
                #expect(try await session.post("se/log", ["type": .string(log)]).array == [])
            }
            try await session.post("url", page)
            let left = try await session.post("execute/sync", ["script": .string(look), "args": []])
            #expect(left == [.null, .null, "", 2])
        }
    }
}
