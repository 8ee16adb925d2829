/// Bars over time, stacked by series, with their positions in the units of the drawing.
///
/// The drawing is 760 × 200, including the axis labels. Numbers are whole, so that every server draws the same.
struct Chart: Sendable, Equatable {
    struct Series: Sendable, Equatable {
        /// The series, such as a provider; nil for the rest.
        let name: String?
        /// One value per step.
        let values: [Int]

        var total: Int { values.reduce(0, +) }
    }

    struct Piece: Sendable, Equatable {
        /// The index of the series.
        let series: Int
        let y: Int
        let height: Int
    }

    struct Bar: Sendable, Equatable {
        let step: Int
        let x: Int
        let width: Int
        let total: Int
        let pieces: [Piece]
    }

    static let width = 760
    static let height = 200
    /// The left edge and the base line of the bars.
    static let left = 40
    static let floor = 172
    static let ceiling = 12
    /// The gap between two bars.
    static let gap = 4
    /// The number of colours; the last one is for the rest.
    static let mostSeries = 6
    private static let ticksWanted = 4

    /// Largest first.
    let series: [Series]
    let bars: [Bar]
    /// The labels of the vertical axis.
    let ticks: [Int]
    let steps: Int

    /// - Parameter counts: the counts per step, by name.
    init(_ counts: [String: [Int]], steps: Int) {
        let all = counts.map { Series(name: $0.key, values: $0.value) }
            .sorted { ($1.total, $0.name ?? "") < ($0.total, $1.name ?? "") }
        series = Self.grouped(all, steps)
        self.steps = steps
        let chosen = series
        let totals = (0..<steps).map { step in chosen.reduce(0) { $0 + $1.values[step] } }
        let ticks = Self.ticks(upTo: totals.max() ?? 0)
        self.ticks = ticks
        let top = max(ticks.last ?? 1, 1)
        let room = Self.room(of: steps)
        bars = (0..<steps).filter { totals[$0] > 0 }.map { step in
            Bar(
                step: step, x: Self.left + step * room + Self.gap / 2, width: max(room - Self.gap, 2),
                total: totals[step],
                pieces: Self.pieces(chosen.map { $0.values[step] }, top))
        }
    }

    /// The width of a step, which is the click area of a bar of any size.
    static func room(of steps: Int) -> Int { (width - left) / max(steps, 1) }

    /// The position of a count.
    func y(of count: Int) -> Int { Self.y(count, max(ticks.last ?? 1, 1)) }

    /// The middle of a step.
    func x(of step: Int) -> Int {
        let room = Self.room(of: steps)
        return Self.left + step * room + room / 2
    }

    private static func y(_ count: Int, _ top: Int) -> Int { floor - count * (floor - ceiling) / top }

    private static func pieces(_ values: [Int], _ top: Int) -> [Piece] {
        var (below, pieces): (Int, [Piece]) = (0, [])
        for (number, value) in values.enumerated() where value > 0 {
            let (bottom, edge) = (y(below, top), y(below + value, top))
            // One among thousands stays visible.
            pieces.append(Piece(series: number, y: min(edge, bottom - 1), height: max(bottom - edge, 1)))
            below += value
        }
        return pieces
    }

    private static func grouped(_ all: [Series], _ steps: Int) -> [Series] {
        guard all.count > mostSeries else { return all }
        let rest = all[(mostSeries - 1)...]
        let values = (0..<steps).map { step in rest.reduce(0) { $0 + $1.values[step] } }
        return all.prefix(mostSeries - 1) + [Series(name: nil, values: values)]
    }

    /// Round numbers from zero to at least the maximum.
    static func ticks(upTo greatest: Int) -> [Int] {
        var unit = 1
        while unit * ticksWanted < greatest {
            // 1, 2, 5, 10, 20, 50 …
            unit = String(unit).hasPrefix("2") ? unit / 2 * 5 : unit * 2
        }
        return Array(stride(from: 0, through: max((greatest + unit - 1) / unit, 1) * unit, by: unit))
    }
}
