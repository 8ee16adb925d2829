import FoundationEssentials
import HTTPTypes
import Hummingbird
import JSON
import Logging
import NIOCore

/// One request to a provider: the behaviour first, then the provider, then the log.
struct ProviderExchange: Sendable {
    let state: SimulatorState
    let provider: any SimulatedProvider
    let route: Route
    let target: Target
    let logger: Logger

    func response(to request: Request) async throws -> Response {
        state.requests.arrived(at: place)
        let behaviour = state.behaviours.next(for: route.endpoint, of: provider.name)
        if behaviour.delay > 0 { try await Task.sleep(for: .milliseconds(behaviour.delay)) }
        if behaviour.mode == .hang { return try await hang(request, behaviour) }
        if let answer = FaultyAnswer.instead(of: provider, behaviour, elsewhere: target.elsewhere) {
            note(request, behaviour, Outcome(status: answer.status.code))
            return Response(answer)
        }
        let (answer, outcome) = await ask(request)
        note(request, behaviour, outcome)
        let changed = FaultyAnswer.change(answer, behaviour.mode)
        return behaviour.mode == .truncated ? Response(breakingOff: changed) : Response(changed)
    }

    /// The log details of an answer.
    private struct Outcome {
        var status: Int?
        var refusal: String?
        var parameters: [String] = []
        var clientID: String?
    }

    private func ask(_ request: Request) async -> (Answer, Outcome) {
        var outcome = Outcome()
        do {
            let received = try await receive(request)
            outcome.parameters = received.parameterNames
            outcome.clientID = received.clientID
            guard request.method == route.method else { throw methodRefusal }
            let answer = try provider.answer(received, at: route)
            outcome.status = answer.status.code
            return (answer, outcome)
        } catch let refusal as Refusal {
            let answer = refusal.answer(usual: provider.body(of: refusal))
            outcome.status = answer.status.code
            outcome.refusal = refusal.reason
            return (answer, outcome)
        } catch {
            outcome.status = 500
            outcome.refusal = "failed: \(error)"
            return (.control("server_error", "the simulator failed", status: .internalServerError), outcome)
        }
    }

    private func receive(_ request: Request) async throws -> Received {
        let body: ByteBuffer
        do { body = try await request.body.collect(upTo: 64 << 10) } catch {
            throw Refusal(.contentTooLarge, "invalid_request", "the body is larger than 64 KiB")
        }
        let query: Parameters
        do { query = try Parameters(parsing: Array(target.query.utf8)) } catch {
            throw Refusal.invalidRequest(error.description)
        }
        return Received(
            path: target.path, queryText: target.query, query: query, headers: request.headers, body: body.bytes,
            base: target.base, now: Date())
    }

    private var methodRefusal: Refusal {
        var refusal = Refusal(.methodNotAllowed, "invalid_request", "this path is called by \(route.method)")
        refusal.headers[.allow] = route.method.rawValue
        return refusal
    }

    /// Waits for the caller to disconnect, a minute at most; the connection then ends without an answer.
    private func hang(_ request: Request, _ behaviour: Behaviour) async throws -> Response {
        defer { note(request, behaviour, Outcome()) }
        try await request.body.consumeWithCancellationOnInboundClose { _ in
            try await Task.sleep(for: .seconds(60))
        }
        return Response(breakingOff: Answer(body: .json([:])))
    }

    private var place: Place { Place(provider: provider.name.rawValue, endpoint: route.endpoint.rawValue) }

    private func note(_ request: Request, _ behaviour: Behaviour, _ outcome: Outcome) {
        state.requests.finished(
            RequestLog.Entry(
                time: Date(), method: request.method.rawValue, path: target.path, parameters: outcome.parameters,
                clientID: outcome.clientID, mode: behaviour.mode, status: outcome.status, refusal: outcome.refusal),
            at: place)
        guard let refusal = outcome.refusal else { return }
        logger.info("refused", metadata: ["path": "\(target.path)", "reason": "\(refusal)"])
    }
}

extension Received {
    /// The form, if the body is readable; for the log, before any check.
    private var readableForm: Parameters? {
        guard mediaType == "application/x-www-form-urlencoded" else { return nil }
        return try? Parameters(parsing: body)
    }

    /// The members of a call to Cognito's user-pool API.
    private var readableCall: JSONObject? {
        guard mediaType.hasPrefix("application/x-amz-json-1.") else { return nil }
        return (try? JSON(parsing: body))?.object
    }

    /// For a call to the user-pool API the operation comes first.
    fileprivate var parameterNames: [String] {
        let operation = headers.first { $0.name.canonicalName == "x-amz-target" }?.value.split(separator: ".").last
        let call = readableCall.map { [String(operation ?? "")] + $0.members.map(\.name) } ?? []
        return query.names + (readableForm?.names ?? []) + call
    }

    fileprivate var clientID: String? {
        query["client_id"] ?? readableForm?["client_id"] ?? readableCall?["ClientId"]?.string
    }
}
