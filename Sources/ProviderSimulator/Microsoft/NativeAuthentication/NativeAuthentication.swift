import FoundationEssentials
import HTTPTypes
import JSON
import Synchronization

/// Native authentication of all simulated external tenants.
final class NativeAuthentication: Sendable {
    private let state = Mutex(NativeState())

    func answer(
        _ operation: NativeOperation, _ request: Received, tenant: Tenant, clients: ClientRegistry,
        mint: NativeState.Mint
    ) throws -> Answer {
        let headers = Self.headers(request)
        do {
            guard tenant.isExternal else {
                throw Refusal.native("invalid_request", 901_002, "The tenant has no native authentication.")
            }
            let call = try NativeRequest(operation, request, tenant: tenant.id)
            guard clients.contains(call.clientID) else {
                throw Refusal.native("unauthorized_client", 700_016, "The application was not found.")
            }
            var answer = Answer.secret(
                .object(try state.withLock { state in try state.answer(call, mint: mint) }))
            for field in headers { answer.headers.append(field) }
            return answer
        } catch let refusal as Refusal {
            guard case .answer(var answer) = refusal.form else { throw refusal }
            for field in headers { answer.headers.append(field) }
            throw refusal.inForm(.answer(answer))
        }
    }

    func add(_ user: NativeUser) { state.withLock { $0.replace(user) } }
    func setNative(_ isNative: Bool, client: String) { state.withLock { $0.setNative(isNative, client: client) } }
    func reset() { state.withLock { $0 = NativeState() } }

    func user(_ name: String, tenant: String) -> NativeUser? { state.withLock { $0.user(name, tenant) } }

    /// Returns the caller's id if it has one.
    private static func headers(_ request: Received) -> HTTPFields {
        let sent = request.headers.first { $0.name.canonicalName == "client-request-id" }?.value.lowercased()
        var headers = HTTPFields()
        if let name = HTTPField.Name("client-request-id") {
            headers[name] = sent.flatMap { GUID.isOne($0) ? $0 : nil } ?? GUID.random()
        }
        if let name = HTTPField.Name("x-ms-request-id") { headers[name] = GUID.random() }
        return headers
    }
}
