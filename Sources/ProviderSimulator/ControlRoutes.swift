import Cryptography
import HTTPTypes
import JSON

/// The control surface: mint, authorize, faults, rotation, inspection and reset.
///
/// docs/simulator.md describes each member.
struct ControlRoutes: Sendable {
    /// An unknown path, or a wrong method.
    struct Unknown: Error {
        let error: String
        let status: HTTPResponse.Status
    }

    let state: SimulatorState

    /// Throws `ControlError` for an invalid request and `Unknown` for an unknown one.
    func answer(
        _ method: HTTPRequest.Method, _ target: Target, contentType: String?, body: [UInt8]
    ) async throws -> Answer {
        let query = try query(of: target)
        switch (method, Array(target.parts.dropFirst())) {
        case (.post, ["mint"]): return try await mint(members(query, contentType, body))
        case (.get, let path) where path.count == 2 && ["mint", "sign-in"].contains(path[0]):
            return try mint(path[1], query, asSignIn: path[0] == "sign-in")
        case (.post, ["authorize"]): return try authorize(members(query, contentType, body))
        case (.post, ["redirect-uris"]): return try registerRedirect(members(query, contentType, body))
        case (.post, ["notification"]): return try notification(members(query, contentType, body))
        case (.post, ["behaviour"]): return try behave(members(query, contentType, body))
        case (.post, ["rotate"]): return try rotate(members(query, contentType, body))
        case (.get, ["requests"]): return try requests(query)
        case (.post, ["requests", "reset"]): return try done(query, body) { state.requests.reset() }
        case (.post, ["reset"]): return try done(query, body) { state.reset() }
        case (.post, ["cognito", "clients"]): return try addPoolClient(members(query, contentType, body))
        case (.post, ["cognito", "users"]): return try addPoolUser(members(query, contentType, body))
        case (.get, ["cognito", "users"]): return try poolUser(query)
        case (.get, ["cognito", "tokens"]): return try poolTokens(query)
        case (.post, ["cognito", "assertion"]): return try assertion(members(query, contentType, body))
        case (.post, ["microsoft", "clients"]): return try addNativeClient(members(query, contentType, body))
        case (.post, ["microsoft", "users"]): return try addNativeUser(members(query, contentType, body))
        case (.get, ["microsoft", "users"]): return try nativeUser(query)
        case (.get, ["apple-private-key"]):
            try ControlMembers(query).expectOnly([])
            return Answer(
                headers: [.cacheControl: "no-store"],
                body: .text(state.secrets.developmentKey.pem, type: "application/x-pem-file"))
        case (_, let path): throw unknown(path)
        }
    }

    func provider(_ name: ProviderName) throws(ControlError) -> any SimulatedProvider {
        guard let provider = state.providers[name] else { throw ControlError("\(name.rawValue) is not simulated") }
        return provider
    }

    private func query(of target: Target) throws(ControlError) -> Parameters {
        do { return try Parameters(parsing: Array(target.query.utf8)) } catch { throw ControlError(error.description) }
    }

    private func members(
        _ query: Parameters, _ contentType: String?, _ body: [UInt8]
    ) throws(ControlError) -> ControlMembers {
        try ControlMembers(query).expectOnly([])
        guard contentType?.prefix(while: { $0 != ";" }).lowercased() == "application/json" else {
            throw ControlError("the content type must be application/json")
        }
        return try ControlMembers(parsing: body)
    }

    private func behave(_ members: ControlMembers) throws -> Answer {
        try members.expectOnly(["provider", "endpoint", "mode", "delay_ms", "status", "retry_after", "times"])
        let provider = try provider(members.provider())
        let behaviour = try Behaviour(members)
        let endpoints = try endpoints(members, of: provider)
        guard behaviour.mode != .duplicateKid || endpoints == [.keys] else {
            throw ControlError("the mode duplicate_kid is for the endpoint keys")
        }
        state.behaviours.set(behaviour, for: endpoints, of: provider.name)
        return Answer(status: .noContent, body: .none)
    }

    private func endpoints(
        _ members: ControlMembers, of provider: any SimulatedProvider
    ) throws(ControlError) -> [Endpoint] {
        let name = try members.text("endpoint") ?? "all"
        guard name != "all" else { return provider.endpoints }
        guard let endpoint = Endpoint(rawValue: name), provider.endpoints.contains(endpoint) else {
            let known = provider.endpoints.map(\.rawValue).joined(separator: ", ")
            throw ControlError("endpoint is all or one of \(known)")
        }
        return [endpoint]
    }

    private func rotate(_ members: ControlMembers) throws -> Answer {
        try members.expectOnly(["provider", "keep_old"])
        try provider(members.provider()).rotate(keepOld: members.flag("keep_old") ?? true)
        return Answer(status: .noContent, body: .none)
    }

    private func requests(_ query: Parameters) throws -> Answer {
        let members = ControlMembers(query)
        try members.expectOnly(["provider"])
        guard members.object["provider"] != nil else { return .secret(.object(state.requests.report())) }
        return .secret(.object(state.requests.report(of: try members.provider())))
    }

    private func done(_ query: Parameters, _ body: [UInt8], _ action: () -> Void) throws(ControlError) -> Answer {
        try ControlMembers(query).expectOnly([])
        if !body.isEmpty { try ControlMembers(parsing: body).expectOnly([]) }
        action()
        return Answer(status: .noContent, body: .none)
    }

    private func unknown(_ path: [String]) -> Unknown {
        let known = [
            ["mint"], ["notification"], ["authorize"], ["redirect-uris"], ["behaviour"], ["rotate"], ["requests"],
            ["requests", "reset"],
            ["reset"], ["apple-private-key"], ["cognito", "clients"], ["cognito", "users"], ["cognito", "tokens"],
            ["cognito", "assertion"], ["microsoft", "clients"], ["microsoft", "users"],
        ]
        guard known.contains(path) else { return Unknown(error: "not_found", status: .notFound) }
        return Unknown(error: "method_not_allowed", status: .methodNotAllowed)
    }
}
