import Testing

@testable import Console

/// The positions of a chart's bars.
struct ChartTests {
    @Test(
        "The axis counts in round numbers up to the greatest",
        arguments: [
            (0, [0, 1]), (1, [0, 1]), (4, [0, 1, 2, 3, 4]), (5, [0, 2, 4, 6]), (17, [0, 5, 10, 15, 20]),
            (100, [0, 50, 100]), (401, [0, 200, 400, 600]),
        ])
    func ticks(_ greatest: Int, _ ticks: [Int]) {
        #expect(Chart.ticks(upTo: greatest) == ticks)
    }

    @Test("The parts of a bar are stacked, and each matches its count")
    func stacked() throws {
        let chart = Chart(["google": [0, 3], "apple": [0, 1], "": [4, 0]], steps: 2)
        #expect(chart.series.map(\.name) == ["", "google", "apple"])
        #expect(chart.bars.map(\.total) == [4, 4])
        let bar = try #require(chart.bars.last)
        #expect(bar.pieces.map(\.series) == [1, 2])
        #expect(bar.pieces.map(\.height) == [120, 40])
        #expect(bar.pieces.map(\.y) == [52, 12])
        for bar in chart.bars {
            #expect(bar.x >= Chart.left && bar.x + bar.width <= Chart.width)
        }
    }

    @Test("One among thousands is seen, and an empty step has no bar")
    func small() {
        let chart = Chart(["google": [5_000, 0, 1]], steps: 3)
        #expect(chart.bars.map(\.step) == [0, 2])
        #expect(chart.bars.allSatisfy { $0.pieces.allSatisfy { $0.height >= 1 } })
    }

    @Test("The chart has at most one series per colour, and combines the smallest")
    func grouped() {
        let counts = Dictionary((1...9).map { ("p\($0)", [$0]) }) { first, _ in first }
        let chart = Chart(counts, steps: 1)
        #expect(chart.series.map(\.name) == ["p9", "p8", "p7", "p6", "p5", nil])
        #expect(chart.series.last?.total == 10)
    }

    @Test("Nothing at all is drawn without bars")
    func empty() {
        #expect(Chart([:], steps: 24).bars.isEmpty)
        #expect(Chart([:], steps: 0).bars.isEmpty)
    }
}
