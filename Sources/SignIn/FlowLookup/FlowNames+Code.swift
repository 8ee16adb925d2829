package import Clients
import Cryptography
import Foundation
import Postgres
import Sessions
package import Vocabulary

/// The choice of a flow by the code that was sent for it.
extension FlowNames {
    /// The token of the flow that a code was sent for; the flow's own step then judges the code.
    ///
    /// - Throws: `flowExpired` for a name without a flow, `codeWrong` for a code of none of its flows, `throttled`.
    package func flow(
        for purpose: Purpose, of name: String, client: Client, code: String, caller: Caller
    ) async throws(Rejection) -> String {
        let waiting = try await ids(for: purpose, of: name, client: client)
        guard let only = waiting.first else { throw .flowExpired }
        // The step of an only flow counts the try itself.
        guard waiting.count > 1 else { return text(only, purpose, client) }
        let named = "\(purpose.rawValue) \(client.id) \(name)"
        let budgets = (
            own: throttles.namedGuess(named, flows: waiting.count, from: caller.address),
            strangers: throttles.namedGuess(named, flows: waiting.count)
        )
        return text(try await choose(code, among: waiting, budgets, caller), purpose, client)
    }

    /// Compares a code with those of several flows.
    ///
    /// Each comparison counts as a guess at the name, so that many flows are guessed no faster than one. None uses up a
    /// try of a flow: the holder of a flow's token keeps its tries, whatever others guess by the name. The network where one
    /// of the flows began has a budget of its own, which strangers do not use up.
    private func choose(
        _ code: String, among flows: [UUID], _ budgets: (own: Throttle, strangers: Throttle), _ caller: Caller
    ) async throws(Rejection) -> UUID {
        let typed = try StepAnswer.code(code).typedCode()
        let digests = flows.map { OneTimeCode.digest(typed, flow: $0, key: codeKey) }
        let asking = throttles.wrongAnswers(address: caller.address)
        let (wait, chosen) = try await rejecting(logger) {
            try await pool.withConnection { connection in
                let isOwn: Bool = try connection.row(
                    """
                    select exists (select from flows where id = any (\(flows)) and network_of(state->>'from') = network_of(\(caller.address)))
                    """
                ).value(0)
                return try Self.compare(
                    flows, digests, [isOwn ? budgets.own : budgets.strangers], asking, connection)
            }
        }
        guard wait <= 0 else { throw .throttled(retryAfter: Int(wait.rounded(.up))) }
        guard let chosen else { throw .codeWrong(triesLeft: 1) }
        return chosen
    }

    private static func compare(
        _ flows: [UUID], _ digests: [[UInt8]], _ budget: [Throttle], _ asking: [Throttle], _ connection: Connection
    ) throws -> (wait: Double, chosen: UUID?) {
        let wait: Double = try connection.row(
            "select greatest(wait_for_throttles(\(asking)), take_from_throttles(\(budget)))"
        ).value(0)
        guard wait <= 0 else { return (wait, nil) }
        let match = try connection.queryOne(
            """
            select f.id from flows f join unnest(\(flows), \(digests)) sent (id, digest) on sent.id = f.id
             where f.code_digest = sent.digest and f.expires_at > now() order by f.created_at, f.id limit 1
            """)
        if let match { return (0, try match.value(0)) }
        _ = try connection.queryOne("select charge_wrong_answer('code_wrong', 1, \(asking))")
        return (0, nil)
    }
}
