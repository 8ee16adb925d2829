import Foundation
import JSON

/// The actions of a browser, from its own records.
extension Browser {
    /// The console's errors, such as a violation of the page's policy.
    ///
    /// Two entries are expected: an answer with 403, and a page that does not move the focus, because the driver was
    /// faster than the page's first frame.
    func complaints() async throws -> [String] {
        let entries = try await session.post("se/log", ["type": "browser"]).array ?? []
        return entries.compactMap { entry in
            let message = entry["message"]?.string ?? ""
            let isStatus = entry["source"]?.string == "network" && message.contains("responded with a status of")
            let isFocus = message.hasSuffix(Self.lateFocus)
            return isStatus || isFocus ? nil : message
        }
    }

    private static let lateFocus =
        "Autofocus processing was blocked because a document already has a focused element."

    /// The requests since the last call, in order, with the fate of each cookie.
    func requests() async throws -> [SentRequest] {
        let entries = try await session.post("se/log", ["type": "performance"]).array ?? []
        let events = try entries.compactMap { entry -> JSON? in
            guard let text = entry["message"]?.string, text.contains("Network.requestWillBeSent") else { return nil }
            return try JSON(parsing: text, limits: WebDriverSession.limits)["message"]
        }
        return SentRequest.all(in: events)
    }

    /// A cookie of the current page; nil without one of that name.
    func cookie(_ name: String) async throws -> String? {
        let cookies = try await session.get("cookie").array ?? []
        return cookies.first { $0["name"]?.string == name }?["value"]?.string
    }

    /// Deletes every cookie of every site.
    func forgetCookies() async throws { try await session.tools("Network.clearBrowserCookies") }
}

/// A request as sent.
struct SentRequest: Sendable {
    let method: String
    let address: String
    /// Its own statement of its origin (W3C Fetch Metadata).
    let site: String?
    /// The names of the sent cookies.
    let cookies: [String]
    /// The names of the blocked cookies, with the reasons.
    let blocked: [String: [String]]

    /// A request and its redirects have one id, and their events have one order.
    static func all(in events: [JSON]) -> [SentRequest] {
        var details: [String: [JSON]] = [:]
        for event in events where event["method"]?.string == "Network.requestWillBeSentExtraInfo" {
            details[event["params"]?["requestId"]?.string ?? "", default: []].append(event["params"] ?? .null)
        }
        return events.compactMap { event in
            guard event["method"]?.string == "Network.requestWillBeSent", let sent = event["params"],
                let id = sent["requestId"]?.string, let request = sent["request"],
                let detail = details[id]?.first
            else { return nil }
            details[id]?.removeFirst()
            return SentRequest(request, detail)
        }
    }

    private init(_ request: JSON, _ detail: JSON) {
        method = request["method"]?.string ?? ""
        address = request["url"]?.string ?? ""
        site = detail["headers"]?["Sec-Fetch-Site"]?.string
        let associated = (detail["associatedCookies"]?.array ?? []).map { entry in
            (
                name: entry["cookie"]?["name"]?.string ?? "",
                reasons: (entry["blockedReasons"]?.array ?? []).compactMap(\.string)
            )
        }
        cookies = associated.filter(\.reasons.isEmpty).map(\.name)
        blocked = Dictionary(associated.filter { !$0.reasons.isEmpty }.map { ($0.name, $0.reasons) }) { $0 + $1 }
    }
}
