import Foundation
import TestSupport
import Testing

/// The user agent of a device that the account has not used.
enum StrangeDevice {
    static let agent = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"
    static let words = "Firefox, Linux"
}

extension GatewayProcess {
    /// Signs in to an account with its password in a browser that the account has not used.
    func signInAsStranger(_ email: String) async throws -> PageBrowser {
        let browser = try await PageBrowser.open(self, "/health/live")
        browser.headers = [("User-Agent", StrangeDevice.agent)]
        try await browser.visit("/login")
        try await browser.passwordSignIn(email)
        try #require(browser.cookies["__Host-session"] != nil, "\(browser.page.text)")
        return browser
    }

    /// The text of the newest notice about a new device, without its encoding.
    func newDeviceMail(to email: String, number: Int = 1) async throws -> String {
        let mail = try await poll {
            let notices = self.newDeviceMails(to: email)
            return notices.count >= number ? notices[number - 1] : nil
        }
        return mail.decoded
    }

    func newDeviceMails(to email: String) -> [TestMail] {
        mails(to: email).filter { $0.subject.hasPrefix("New sign-in to your account") }
    }

    /// The path of the link in that mail.
    func notMeLink(to email: String, number: Int = 1) async throws -> String {
        let mail = try await newDeviceMail(to: email, number: number)
        let link = try #require(mail.firstMatch(of: /https?:\/\/[a-z0-9.:-]+(\/not-me\?ticket=nd_[A-Za-z0-9_-]+)\n/))
        return String(link.output.1)
    }
}
