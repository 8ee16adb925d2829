import Admin
import ArgumentParser
import Foundation
import Logging
import Postgres

extension AuditCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Recompute the chain of digests over the whole log, and name every row that isn't as it was.",
            discussion: """
                Prints the chain's head, POSITION:DIGEST: keep it elsewhere, and give it to a later run with --expect-head, \
                which proves that no row up to there was taken away or written anew.

                Ends with 1 when anything is wrong, 69 when the database isn't there.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Option(help: ArgumentHelp("A head that an earlier run printed.", valueName: "position:digest"))
        var expectHead: String?

        func validate() throws {
            if let expectHead, AuditHead(expectHead) == nil {
                throw ValidationError("--expect-head takes what an earlier run printed: POSITION:DIGEST.")
            }
        }

        func run() async throws {
            try await Operator.run(options) { configuration, pool in
                var bar = ProgressBar("events")
                let verification = AuditVerification(pool: pool, keys: configuration.masterKeys)
                let verdict = try await verification.run(
                    expecting: expectHead.flatMap(AuditHead.init), progress: { bar.show($0, of: $1) },
                    found: {
                        bar.end()
                        Console.write($0.sentence)
                    })
                bar.end()
                Console.write("\(verdict.events) events recomputed, \(verdict.waiting) wait to be sealed")
                Console.write("head \(verdict.head.text)")
                guard verdict.findings == 0 else { throw Failure("\(verdict.findings) breaches") }
            }
        }
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Drop old months of the log, with their part of the chain.",
            discussion: "AUDIT_KEEP_MONTHS does it by itself. Export first what you want to keep.")

        @OptionGroup var options: ConfigurationOptions
        @Option(help: "Whole months to keep besides this one, 3 at least.") var keepMonths: Int

        func validate() throws {
            guard keepMonths >= AuditRetention.fewestMonths else {
                throw ValidationError("--keep-months takes \(AuditRetention.fewestMonths) or more.")
            }
        }

        func run() async throws {
            try await Operator.run(options) { _, pool in
                let retention = AuditRetention(pool: pool, keepMonths: 0, logger: Logger(label: "gateway"))
                do {
                    let dropped = try await retention.prune(keepMonths: keepMonths, requestID: Operator.requestID)
                    Console.write(
                        dropped.isEmpty ? "nothing is that old" : "dropped " + dropped.joined(separator: ", "))
                } catch let error as PostgresError where error.state == .lockNotAvailable {
                    throw Failure("The log is being read or written just now: try again.")
                }
            }
        }
    }
}

extension AuditFinding {
    /// For people.
    var sentence: String {
        switch self {
        case .changed(let id, let position): "row \(id) at position \(position) was changed"
        case .removed(let id, let position): "row \(id) at position \(position) was removed"
        case .inserted(let id): "row \(id) was put in: no link has it at its position"
        case .backdated(let id, let position):
            "row \(id) at position \(position) says a time an hour before others that were sealed earlier"
        case .displaced(let positions):
            "positions \(positions.lowerBound) to \(positions.upperBound) don't follow the ones before: their link was changed, exchanged or put in"
        case .missing(let positions):
            "positions \(positions.lowerBound) to \(positions.upperBound) are gone from the chain"
        case .checkpoint: "the chain's beginning isn't the one that the last pruning wrote into the log"
        case .anotherHead(let position): "position \(position) has another digest than expected: the chain was rebuilt"
        case .cutOff(let position): "the chain ends before position \(position): its end was cut off"
        case .headPruned(let position): "position \(position) was pruned: expect a later head"
        case .unknownKey(let id): "rows were sealed under the master key \(id), which isn't in MASTER_KEYS"
        }
    }
}
