import Foundation
package import OperatorAccess
import Postgres
import Vocabulary

/// The decisions of each linking policy for recent unknown identities, recomputed from the facts in the audit log.
package struct LinkingRehearsal: Sendable {
    private let desk: AdminDesk

    package init(desk: AdminDesk) {
        self.desk = desk
    }

    /// The number of times of each decision.
    package struct Outcome: Sendable, Equatable {
        package let policy: String
        package let links: Int
        package let asks: Int
        package let newAccounts: Int
    }

    /// - Parameters:
    ///   - client: the client's id.
    ///   - days: the number of past days, 1...90.
    package func outcomes(client: String, days: Int, by actor: AdminActor) async throws -> [Outcome] {
        let span = Int32(min(max(days, 1), 90))
        let groups = try await desk.look(.showClients, actor) { connection in
            try connection.query(
                """
                select detail->'facts'->>'has_address' = 'true', detail->'facts'->>'provider_is_authority' = 'true',
                       least((detail->'facts'->>'proved_holders')::integer, 1), least((detail->'facts'->>'unproved_holders')::integer, 1),
                       detail->>'rule' = 'holder_unusable', count(*)
                  from audit_events
                 where client_id = \(client) and outcome = 'done' and action in ('account_created', 'identity_linked', 'link_asked')
                   and at > now() - make_interval(days => \(span)) and jsonb_typeof(detail->'facts') = 'object'
                 group by 1, 2, 3, 4, 5
                """
            ).map(Self.group)
        }
        return LinkingPolicy.BothVerified.allCases.map { Self.outcome(LinkingPolicy(bothVerified: $0), groups) }
    }

    private typealias Group = (facts: LinkingPolicy.Facts, count: Int)

    private static func group(_ row: Row) throws -> Group {
        let isUsable = try !row.value(4, as: Bool.self)
        let holders =
            (0..<Int(try row.value(2, as: Int32.self))).map { _ in (true, isUsable) }
            + (0..<Int(try row.value(3, as: Int32.self))).map { _ in (false, isUsable) }
        let facts = LinkingPolicy.Facts(
            hasAddress: try row.value(0), providerIsAuthority: try row.value(1),
            holders: holders.map { LinkingPolicy.Holder(account: UUID(), proved: $0.0, active: $0.1) })
        return (facts, try row.value(5))
    }

    private static func outcome(_ policy: LinkingPolicy, _ groups: [Group]) -> Outcome {
        var (links, asks, made) = (0, 0, 0)
        for group in groups {
            switch policy.decide(group.facts) {
            case .link: links += group.count
            case .ask: asks += group.count
            case .createAccount: made += group.count
            }
        }
        return Outcome(policy: policy.bothVerified.rawValue, links: links, asks: asks, newAccounts: made)
    }
}
