import Attacks
import Dispatch
import Foundation
import Glibc
import Telemetry

extension AttackCommand {
    /// Tries the attacks until Ctrl-C.
    static func report(_ attacks: [Attack], on target: Target) async -> (AttackReport, isInterrupted: Bool) {
        let run = Task {
            var bar = ProgressBar("attacks")
            defer { bar.end() }
            return await AttackReport(attacks, on: target) { bar.show($0, of: attacks.count) }
        }
        signal(SIGINT, SIG_IGN)
        let interrupt = DispatchSource.makeSignalSource(signal: SIGINT, queue: .global())
        interrupt.setEventHandler { run.cancel() }
        interrupt.resume()
        defer { interrupt.cancel() }
        return (await run.value, run.isCancelled)
    }

    /// A new file, or the report of an earlier run, which is empty if that run was killed.
    static func reportFile(_ path: String) throws -> FileHandle {
        do throws(OutputFile.Refusal) {
            return try OutputFile.handle(for: path) { path in
                let start = FileManager.default.contents(atPath: path)?.prefix(AttackReport.junitHead.utf8.count)
                return start == Data(AttackReport.junitHead.utf8) || start?.isEmpty == true
            }
        } catch {
            Terminal.complain(error.text)
            throw ExitStatus.cannotCreate
        }
    }
}
