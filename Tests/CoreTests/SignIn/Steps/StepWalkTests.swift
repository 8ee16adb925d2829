import Testing

/// Sign-ins with random answers, with the real steps and a model of the database.
@Suite("Random walks through a sign-in")
struct StepWalkTests {
    @Test("no step is skipped, and no level is reached without its proofs", arguments: [1, 2, 3, 4])
    func walks(_ round: UInt64) async throws {
        let seed = 0x5EED_0F57_E950_0000 + round
        print("random walks: seed \(seed)")
        var random = SplitMix(seed: seed)
        let bench = try await StepBench()
        var (signedIn, refused) = (0, 0)
        for _ in 0..<100 {
            var walk = StepWalk(bench, &random)
            if try await walk.run(&random) { signedIn += 1 }
            refused += walk.refused
            #expect(walk.complaints.isEmpty, "seed \(seed): \(walk.complaints)")
        }
        // Some walks succeed and some are refused.
        #expect(signedIn > 40 && refused > 40, "seed \(seed): \(signedIn) signed in, \(refused) answers refused")
    }
}

/// The same numbers for the same seed (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }
}
