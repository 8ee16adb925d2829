import FoundationEssentials
import HTTPTypes
import Hummingbird
import Logging
import NIOCore

/// Passes a request to a provider or to the control surface, and writes the answer.
///
/// It has no router: its main work is to count and refuse unknown paths.
struct SimulatorResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let state: SimulatorState
    let logger: Logger

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        let target = Target(request.head)
        switch target.parts.first {
        case "control": return await control(request, target)
        case Place.redirected:
            return refuse(request, target, at: Place(provider: Place.redirected, endpoint: Place.unknown))
        default: break
        }
        guard let name = target.parts.first.flatMap(ProviderName.init(rawValue:)), let provider = state.providers[name]
        else { return refuse(request, target, at: Place(provider: Place.unknown, endpoint: Place.unknown)) }
        guard let route = provider.route(for: Array(target.parts.dropFirst())) else {
            return refuse(request, target, at: Place(provider: name.rawValue, endpoint: Place.unknown))
        }
        return try await ProviderExchange(
            state: state, provider: provider, route: route, target: target, logger: logger
        ).response(to: request)
    }

    private func control(_ request: Request, _ target: Target) async -> Response {
        var answer: Answer
        do {
            let body = try await request.body.collect(upTo: 8 << 20)
            answer = try await ControlRoutes(state: state)
                .answer(request.method, target, contentType: request.headers[.contentType], body: body.bytes)
        } catch let error as ControlError {
            answer = .control("invalid_request", error.description, status: .badRequest)
        } catch let error as ControlRoutes.Unknown {
            answer = .control(error.error, "docs/simulator.md lists the control paths", status: error.status)
        } catch {
            logger.error("control request failed", metadata: ["error": "\(error)"])
            answer = .control("server_error", "the request could not be worked off", status: .internalServerError)
        }
        return Response(answer)
    }

    /// Refuses an unknown path.
    private func refuse(_ request: Request, _ target: Target, at place: Place) -> Response {
        let reason = "there is no such path"
        state.requests.arrived(at: place)
        state.requests.finished(
            RequestLog.Entry(
                time: Date(), method: request.method.rawValue, path: target.path, parameters: [], clientID: nil,
                mode: .normal, status: 404, refusal: reason),
            at: place)
        logger.info("refused", metadata: ["path": "\(target.path)", "reason": "\(reason)"])
        return Response(.control("not_found", reason, status: .notFound))
    }
}

/// The path and the raw query of a request.
struct Target: Sendable {
    let path: String
    let parts: [String]
    let query: String
    let base: String

    init(_ head: HTTPRequest) {
        self.init(head.path ?? "/", authority: head.authority)
    }

    /// Takes path and query as they occur in a request line.
    init(_ whole: String, authority: String? = nil) {
        let halves = whole.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(halves.first ?? "/")
        query = halves.count == 2 ? String(halves[1]) : ""
        // Keeps empty parts: a doubled or a trailing slash makes another path.
        parts = path.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map(String.init)
        base = "http://" + Self.authority(authority)
    }

    /// The same server under another name of this machine.
    var elsewhere: String {
        let authority = base.dropFirst("http://".count)
        let port = authority.split(separator: ":").last.map(String.init) ?? ""
        let host = authority.hasPrefix("localhost") ? "127.0.0.1" : "localhost"
        return "http://\(host):\(port)/\(Place.redirected)\(path)"
    }

    private static func authority(_ sent: String?) -> String {
        let allowed = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.-:[]")
        guard let sent, !sent.isEmpty, sent.allSatisfy(allowed.contains) else { return "localhost" }
        return sent
    }
}
