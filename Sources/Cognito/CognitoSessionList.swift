import Clients
import Foundation
import JSON
import Sessions
import Vocabulary

/// The sessions of a user that a pool knows: those at its apps, and those of browsers from which they began.
struct CognitoSessionList {
    /// One page of the answer.
    struct Page {
        let sessions: [JSON]
        /// `NextToken`.
        let next: String?

        var json: JSONObject {
            var answer: JSONObject = ["Sessions": .array(sessions)]
            answer["NextToken"] = next.map(JSON.string)
            return answer
        }
    }

    /// The longest session id or cursor that is read, in bytes.
    static let mostCursor = 64
    private static let mostOnPage = 125

    private let sessions: [DeviceSession]
    private let browsers: Set<UUID>
    private let current: UUID
    private let apps: [String: String]

    /// - Parameters:
    ///   - all: the open sessions of the account.
    ///   - current: the caller's session.
    ///   - apps: the app clients of the pool by our ids of the apps.
    init(_ all: [DeviceSession], current: UUID, apps: [String: String]) {
        let own = all.filter { apps[$0.clientID] != nil }
        let browsers = Set(own.compactMap(\.browser))
        // Ids sort by time, and unlike the last use they do not change between two pages.
        sessions = all.filter { apps[$0.clientID] != nil || browsers.contains($0.id) }
            .sorted { $0.id.text > $1.id.text }
        self.browsers = browsers.intersection(sessions.map(\.id))
        (self.current, self.apps) = (current, apps)
    }

    /// - Parameter cursor: `NextToken`, the id of the last session of the page before.
    func page(after cursor: String?) throws(CognitoError) -> Page {
        var rest = sessions[...]
        if let cursor {
            guard let last = CognitoSessionID(text: cursor) else { throw .invalid("Invalid parameter NextToken.") }
            rest = rest.drop { $0.id.text >= last.session.text }
        }
        let shown = rest.prefix(Self.mostOnPage)
        return Page(
            sessions: shown.map(json), next: shown.count < rest.count ? shown.last.map { id(of: $0.id).text } : nil)
    }

    /// The sessions to end for a `SessionId`, in order.
    ///
    /// - Parameter isLinked: whether the browser's session of a token session ends, too. That of a browser always takes
    ///   its sessions along.
    /// - Throws: `notFound` for a session that the user does not have in the pool.
    func ends(of text: String, withLinked isLinked: Bool) throws -> [UUID] {
        guard let id = CognitoSessionID(text: text) else { throw CognitoError.invalid("Invalid parameter SessionId.") }
        guard let target = sessions.first(where: { $0.id == id.session }) else { throw Rejection.notFound }
        let browser = isLinked ? target.browser.flatMap { browsers.contains($0) ? $0 : nil } : nil
        let ends = [target.id] + (browser.map { [$0] } ?? [])
        let own = sessions.first { $0.id == current }
        guard !ends.contains(current), !(own?.browser.map(ends.contains) ?? false) else {
            throw CognitoError.invalid("The current session can't be revoked: use RevokeToken or GlobalSignOut.")
        }
        return ends
    }

    private func id(of session: UUID) -> CognitoSessionID {
        CognitoSessionID(browsers.contains(session) ? .browser : .token, session)
    }

    private func json(_ session: DeviceSession) -> JSON {
        let id = id(of: session.id)
        var object: JSONObject = [
            "SessionId": .string(id.text), "SessionType": id.kind == .browser ? "SSO" : "TOKEN",
            "CreateDate": .double(session.createdAt.timeIntervalSince1970),
            "LastActiveDate": .double(session.lastUsedAt.timeIntervalSince1970),
            "DeviceType": .string(session.userAgent.flatMap(UserAgent.known) ?? "unknown"),
            "IsCurrentSession": .bool(session.id == current),
        ]
        object["ClientId"] = apps[session.clientID].map(JSON.string)
        object["LastIPAddress"] = session.address.map(JSON.string)
        let origin = session.browser.flatMap { browsers.contains($0) ? self.id(of: $0).text : nil }
        object["OriginSessionId"] = origin.map(JSON.string)
        return .object(object)
    }
}
