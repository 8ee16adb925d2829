import Cryptography
import Testing

@testable import Gateway

@Suite("Why the server did not start")
struct StartFailureTests {
    @Test(
        "signing keys under a lost master key: the setting and the remedy are named",
        arguments: [SealedBoxError.unknownKey(id: "k1"), .notAuthentic])
    func lostMasterKey(error: SealedBoxError) {
        let sentence = StartFailure.sentence(for: error)
        #expect(sentence.contains("MASTER_KEYS") && sentence.contains("Put that one back"))
        #expect(StartFailure.status(of: error) == ExitStatus.configuration)
    }
}
