package import Clients
package import Foundation
import JSON
package import Logging
package import Outbound
package import Postgres
package import Sessions
import Synchronization
package import Vocabulary

/// Knows the apps that describe themselves by a document: fetches it, and keeps a client row for each.
package final class ClientDocuments: Sendable {
    private let pool: ConnectionPool
    private let clients: ClientRegistry
    private let transport: any HTTPTransport
    package let policy: ClientDocumentPolicy
    /// The ids of the sign-in methods at such an app: a session of any of them serves it.
    private let methods: [String]
    private let budget: FetchBudget
    private let now: @Sendable () -> Date
    private let logger: Logger
    /// The fetches that run now, by address: callers at the same time share one.
    private let fetches = Mutex<[String: Task<Rejection?, Never>]>([:])

    /// The most client rows; the oldest that no user granted anything makes room.
    private static let most: Int32 = 10_000

    package init(
        pool: ConnectionPool, clients: ClientRegistry, transport: any HTTPTransport, policy: ClientDocumentPolicy,
        methods: [String], throttles: Throttles, now: @escaping @Sendable () -> Date, logger: Logger
    ) {
        (self.pool, self.clients, self.transport, self.policy) = (pool, clients, transport, policy)
        (self.methods, self.now, self.logger) = (methods, now, logger)
        budget = FetchBudget(throttles: throttles, pool: pool, logger: logger)
    }

    /// Makes sure that the app of a client id is known, if the id is the address of a document.
    ///
    /// - Throws: `clientDocumentRefused`, `throttled`.
    package func meet(_ id: String?, caller: Caller) async throws(Rejection) {
        guard let id, policy.admits(id) else { return }
        if isFresh(id) { return }
        let fetch = fetches.withLock { fetches -> Task<Rejection?, Never>? in
            if let running = fetches[id] { return running }
            // The fetch of another caller may have ended since the first look.
            if isFresh(id) { return nil }
            let task = Task { await self.renew(id, caller) }
            fetches[id] = task
            return task
        }
        if let rejection = await fetch?.value { throw rejection }
    }

    private func isFresh(_ id: String) -> Bool { clients.client(id)?.isFresh(at: now()) ?? false }

    /// Nothing is remembered of a failure (§4.4), so the next request tries again within the budget.
    private func renew(_ address: String, _ caller: Caller) async -> Rejection? {
        defer { fetches.withLock { $0[address] = nil } }
        do throws(Rejection) {
            try await budget.charge(address, by: caller)
            try await fetch(address, caller)
            try await rejecting(logger) { try await clients.reload() }
            return nil
        } catch {
            return error
        }
    }

    private func fetch(_ address: String, _ caller: Caller) async throws(Rejection) {
        var request = HTTPRequest(method: .get, url: address, headers: [("Accept", "application/json")])
        request.maximumBytes = ClientDocument.longest
        let response: HTTPResponse
        do throws(TransferError) {
            response = try await transport.send(request)
        } catch {
            throw refusal(address, Self.shown(error), because: error)
        }
        if response.status == 404 || response.status == 410 { try await withdraw(address, caller) }
        guard response.status == 200, response.isJSON else {
            throw refusal(address, "the answer is no JSON with status 200, but \(response.status)")
        }
        let document: ClientDocument
        do throws(ClientDocument.Fault) {
            document = try ClientDocument(parsing: response.body, at: address, isTrusted: policy.lists(address))
        } catch {
            throw refusal(address, error.rawValue)
        }
        try await adopt(document, ClientDocument.life(response.header("Cache-Control")), caller)
    }

    /// What a stranger learns: not which names and addresses exist inside our network.
    private static func shown(_ error: TransferError) -> String {
        switch error {
        case .resolveFailed, .addressRefused, .connectFailed, .connectTimedOut: "its host can't be reached"
        default: "it can't be fetched: \(error)"
        }
    }

    /// - Parameter error: for the log alone.
    private func refusal(_ address: String, _ reason: String, because error: TransferError? = nil) -> Rejection {
        let logged = error.map { "\($0)" } ?? reason
        logger.info("a client's document was refused", metadata: ["document": "\(address)", "reason": "\(logged)"])
        return .clientDocumentRefused(reason)
    }

    private func adopt(_ document: ClientDocument, _ life: Int, _ caller: Caller) async throws(Rejection) {
        let statement: SQL = """
            select adopt_client_document(\(ClientDocument.clientID(of: document.address)), \(document.address), \(document.name),
                                         \(document.redirectURIs), \(methods), \(JSONText(document.openID.json.text)), \(document.digest),
                                         \(Int32(life)), \(Self.most), \(caller.address), \(caller.requestID))
            """
        let word = try await rejecting(logger) {
            try await pool.queryOne(statement) { try $0?.value(0, as: AdoptionWord.self) }
        }
        if word == .full { throw .overloaded(retryAfter: 60) }
    }

    /// An app whose document is gone is over, and so are its sessions.
    private func withdraw(_ address: String, _ caller: Caller) async throws(Rejection) {
        try await rejecting(logger) {
            _ = try await pool.execute(
                "select withdraw_client_document(\(address), \(caller.address), \(caller.requestID))")
        }
    }
}

/// The outcomes of `adopt_client_document`.
enum AdoptionWord: String, OutcomeWord {
    static let functions = ["adopt_client_document"]

    case adopted, renewed, full
}
