import Testing

@Suite("What ends with a change of an account")
struct EndingTests {
    /// The changes that no test makes.
    ///
    /// A new change belongs here or to `EndingPerformance`.
    ///
    /// - `splitUndone`: the split ends the sessions, so the undo has none left to keep.
    private static let notPerformed: Set<AccountChange> = [.splitUndone]

    @Test("the database ends what the table says, and nothing else", arguments: EndingPerformance.all)
    func held(_ performance: EndingPerformance) async throws {
        try await TestCore.with { core in
            let scene = try await EndingScene(core)
            let prepared = try await performance.prepare(scene)
            let hash = try await scene.plant()
            #expect(try await scene.survivors(hash) == Set(Survivor.allCases), "before the change")
            try await performance.perform(scene, prepared)
            #expect(try await scene.survivors(hash) == performance.change.ending.survivors)
        }
    }

    @Test("a change that ends all sessions ends all access of devices", arguments: AccountChange.allCases)
    func access(_ change: AccountChange) {
        let ending = change.ending
        let endsAccess = ending.flows == .all && ending.knownDevices && ending.rememberedDevices
        #expect(ending.sessions != .all || endsAccess)
    }

    @Test("each change is performed once, or its absence has a reason")
    func complete() {
        let performed = EndingPerformance.all.map(\.change)
        #expect(Set(performed).count == performed.count)
        #expect(Set(performed).isDisjoint(with: Self.notPerformed))
        #expect(Set(performed).union(Self.notPerformed) == Set(AccountChange.allCases))
    }
}
