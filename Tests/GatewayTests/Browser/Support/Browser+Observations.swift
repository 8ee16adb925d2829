import Foundation
import JSON

/// The actions of a browser, from its own records.
extension Browser {
    /// What the console complains of, such as a breach of the page's policy.
    ///
    /// That a page was answered with 403 is no complaint: it is what the page says. Nor is that a page does not take the
    /// focus from a field which the driver, quicker than the page's first frame, has put it on already.
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

    /// The requests since this was asked last, in their order, with what became of each cookie that exists for them.
    func requests() async throws -> [SentRequest] {
        let entries = try await session.post("se/log", ["type": "performance"]).array ?? []
        let events = try entries.compactMap { entry -> JSON? in
            guard let text = entry["message"]?.string, text.contains("Network.requestWillBeSent") else { return nil }
            return try JSON(parsing: text, limits: WebDriverSession.limits)["message"]
        }
        return SentRequest.all(in: events)
    }

    /// A cookie of the page that is shown; nil where it has none of that name.
    func cookie(_ name: String) async throws -> String? {
        let cookies = try await session.get("cookie").array ?? []
        return cookies.first { $0["name"]?.string == name }?["value"]?.string
    }

    /// Forgets every cookie of every site.
    func forgetCookies() async throws { try await session.tools("Network.clearBrowserCookies") }
}

/// A request as it went out.
struct SentRequest: Sendable {
    let method: String
    let address: String
    /// What it said of where it comes from (W3C Fetch Metadata).
    let site: String?
    /// The names of the cookies that went along.
    let cookies: [String]
    /// The names of those that were kept back, with the reasons.
    let blocked: [String: [String]]

    /// One request may lead to others by redirects: they have one id, and their events come in one order.
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
