import ArgumentParser
import Audit
import Foundation
import GatewaySettings
import JSON
import Logging
import Postgres

extension AuditCommand {
    struct Verify: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Verify the digest chain of the whole log, and report every changed row.",
            discussion: """
                Prints the head of the chain, POSITION:DIGEST. Store it elsewhere and pass it to a later run with \
                --expect-head. This proves that no earlier row was removed or rewritten.

                Exit status: 1 if the log was changed, 69 if the database is unreachable.
                """)

        @OptionGroup var options: ConfigurationOptions
        @Option(help: ArgumentHelp("A head that an earlier run printed.", valueName: "position:digest"))
        var expectHead: String?
        @OptionGroup var output: OutputOptions

        func validate() throws {
            if let expectHead, AuditHead(expectHead) == nil {
                throw ValidationError("--expect-head takes what an earlier run printed: POSITION:DIGEST.")
            }
        }

        func run() async throws {
            try await Operator.run(options, for: .records) { configuration, pool in
                var bar = ProgressBar("events")
                let verification = AuditVerification(pool: pool, keys: configuration.masterKeys)
                let verdict = try await verification.run(
                    expecting: expectHead.flatMap(AuditHead.init), progress: { bar.show($0, of: $1) },
                    found: {
                        bar.end()
                        output.report($0.sentence, ["finding": .string($0.sentence)])
                    })
                bar.end()
                report(verdict)
                guard verdict.findings == 0 else { throw Failure("\(verdict.findings) breaches") }
            }
        }

        private func report(_ verdict: AuditVerdict) {
            let oldest = Int(verdict.waitingSeconds)
            let isLate = verdict.waitingSeconds > AuditInboxWatch.longestWait
            let lines = [
                "\(verdict.events) events verified, \(verdict.waiting) not yet sealed",
                isLate ? "the oldest of them has waited \(oldest) seconds: no server seals" : nil,
                "head \(verdict.head.text)",
            ]
            output.report(
                lines.compactMap(\.self).joined(separator: "\n"),
                [
                    "events": .integer(verdict.events), "unsealed": .integer(verdict.waiting),
                    "findings": .integer(verdict.findings), "head": .string(verdict.head.text),
                ])
        }
    }

    struct Prune: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete old months of the log and their part of the chain.",
            discussion: "AUDIT_KEEP_MONTHS does this automatically. Export the rows to keep first.")

        @OptionGroup var options: ConfigurationOptions
        @Option(help: "The number of whole months to keep besides the current one, at least 3.") var keepMonths: Int
        @OptionGroup var consent: Confirmation
        @OptionGroup var output: OutputOptions

        func validate() throws {
            guard keepMonths >= AuditRetention.fewestMonths else {
                throw ValidationError("--keep-months takes \(AuditRetention.fewestMonths) or more.")
            }
        }

        func run() async throws {
            try consent.require(
                "Rows of earlier months are deleted for ever.", of: "the last \(keepMonths) months and the current one")
            try await Operator.run(options, for: .database) { _, pool in
                let retention = AuditRetention(pool: pool, keepMonths: 0, logger: Logger(label: "gateway"))
                do {
                    let dropped = try await retention.prune(keepMonths: keepMonths, requestID: Operator.requestID)
                    output.report(
                        dropped.isEmpty ? "no months to drop" : "dropped " + dropped.joined(separator: ", "),
                        ["dropped": .array(dropped.map(JSON.string))])
                } catch let error as PostgresError where error.state == .lockNotAvailable {
                    throw Failure("The log is in use. Try again.")
                }
            }
        }
    }
}

extension AuditFinding {
    /// The finding as text.
    var sentence: String {
        switch self {
        case .changed(let id, let position): "row \(id) at position \(position) was changed"
        case .removed(let id, let position): "row \(id) at position \(position) was removed"
        case .inserted(let id): "row \(id) was inserted: no link contains it at its position"
        case .backdated(let id, let position):
            "row \(id) at position \(position) has a time one hour before rows that were sealed earlier"
        case .displaced(let positions):
            "positions \(positions.lowerBound) to \(positions.upperBound) don't follow their predecessors: their link was changed, replaced or inserted"
        case .missing(let positions):
            "positions \(positions.lowerBound) to \(positions.upperBound) are missing from the chain"
        case .checkpoint: "the beginning of the chain differs from the last pruning record"
        case .anotherHead(let position): "position \(position) has an unexpected digest: the chain was rebuilt"
        case .cutOff(let position): "the chain ends before position \(position): its end was removed"
        case .headPruned(let position): "position \(position) was pruned: use a later head"
        case .unknownKey(let id): "rows were sealed under the master key \(id), which isn't in MASTER_KEYS"
        }
    }
}
