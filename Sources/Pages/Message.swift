/// A sentence of a catalogue with placeholders, written `{name}`.
struct Message: Sendable, Equatable {
    enum Piece: Sendable, Equatable {
        case text(String)
        case place(String)
    }

    let pieces: [Piece]

    /// Nil for an unmatched brace or a placeholder without a name.
    init?(_ text: String) {
        var pieces: [Piece] = []
        var rest = Substring(text)
        while let open = rest.firstIndex(of: "{") {
            let before = rest[..<open]
            let inside = rest[open...].dropFirst()
            guard let close = inside.firstIndex(of: "}"), !before.contains("}") else { return nil }
            let name = inside[..<close]
            guard !name.isEmpty, name.allSatisfy({ $0.isASCII && $0.isLowercase || $0 == "_" }) else { return nil }
            if !before.isEmpty { pieces.append(.text(String(before))) }
            pieces.append(.place(String(name)))
            rest = inside[close...].dropFirst()
        }
        guard !rest.contains("}") else { return nil }
        if !rest.isEmpty { pieces.append(.text(String(rest))) }
        self.pieces = pieces
    }

    var places: Set<String> {
        Set(
            pieces.compactMap { piece in
                if case .place(let name) = piece { name } else { nil }
            })
    }

    /// The sentence with its placeholders filled; unknown ones stay empty.
    func text(_ arguments: [String: String] = [:]) -> String {
        pieces.map { piece in
            switch piece {
            case .text(let text): text
            case .place(let name): arguments[name] ?? ""
            }
        }.joined()
    }
}
