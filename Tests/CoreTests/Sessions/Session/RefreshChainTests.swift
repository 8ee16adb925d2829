import TestSupport
import Testing

/// The rule of refresh tokens, as dialogues with its machine.
@Suite("The chain of refresh tokens")
struct RefreshChainTests {
    @Test(
        "S-04: an app without three late retries in a row stays signed in for 1,000 generations",
        arguments: 0..<20)
    func losingAnswers(round: Int) {
        var (chain, app) = (RefreshChain(), LosingApp(seed: UInt64(round)))
        for generation in 1...1_000 {
            for (index, second) in app.nextSeconds().enumerated() {
                let answer = chain.present(generation - 1, at: second)
                #expect(answer == (index == 0 ? .rotated(generation) : .repeated(generation)))
            }
        }
        #expect(!chain.isOver)
    }

    @Test("S-02: a third late retry in a row is theft; a generation without one resets the count")
    func third() {
        var chain = RefreshChain()
        var second = 0
        for (index, isLate) in [true, true, false, true, true, true].enumerated() {
            second += 100
            #expect(chain.present(index, at: second) == .rotated(index + 1))
            second += isLate ? 11 : 9
            #expect(chain.present(index, at: second) == (index == 5 ? .theft : .repeated(index + 1)))
        }
        #expect(chain.present(6, at: second) == .theft)
    }

    @Test(
        "S-02: no retry works after a day, after its successor's use, or late with the fixed grace period alone"
    )
    func ends() {
        var chain = RefreshChain()
        #expect(chain.present(0, at: 0) == .rotated(1))
        #expect(chain.present(0, at: 86_399) == .repeated(1))
        #expect(chain.present(0, at: 86_400) == .theft)
        var used = RefreshChain()
        #expect(used.present(0, at: 0) == .rotated(1))
        #expect(used.present(1, at: 1) == .rotated(2))
        #expect(used.present(0, at: 2) == .theft)
        var fixed = RefreshChain(latest: 0)
        #expect(fixed.present(0, at: 0) == .rotated(1))
        #expect(fixed.present(0, at: 9) == .repeated(1))
        #expect(fixed.present(0, at: 10) == .theft)
    }

    @Test("S-02: alternating refreshes of thief and user are detected within three, in every interleaving")
    func interleavings() {
        for word in 0..<(1 << 12) {
            var chain = RefreshChain()
            var (held, made) = ([0, 0], [0, 0])
            for turn in 0..<12 {
                let who = word >> turn & 1
                made[who] += 1
                switch chain.present(held[who], at: turn * 600) {
                case .rotated(let generation), .repeated(let generation): held[who] = generation
                case .theft: break
                }
                // Each thief is detected by the third refresh, and a user alone is never treated as a thief.
                #expect(chain.isOver || made[0] < 3 || made[1] < 3, "\(word)")
                #expect(!chain.isOver || (made[0] > 0 && made[1] > 0), "\(word)")
                if chain.isOver { break }
            }
        }
    }
}
