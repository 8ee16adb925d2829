import TestSupport

extension BenchScript {
    /// The script with the statements of the gateway.
    func renewed(by sent: [SentStatement]) -> BenchScript {
        var renewed = self
        renewed.statements = sent.map { sent in
            let likest = statements.max { $0.likeness(to: sent) < $1.likeness(to: sent) }
            return likest.flatMap { $0.likeness(to: sent) > 0.5 ? $0.renewed(sent) : nil } ?? Statement(sent)
        }
        return renewed
    }
}

extension BenchScript.Statement {
    /// A statement that was sent, with its own values.
    fileprivate init(_ sent: SentStatement) {
        self.init(
            text: sent.text, values: Dictionary(uniqueKeysWithValues: zip(1..., sent.values)))
    }

    /// What the gateway sends now, with the expressions of the parameters that stayed.
    fileprivate func renewed(_ sent: SentStatement) -> Self {
        var renewed = Self(sent)
        let (old, new) = (Self.words(text), Self.words(sent.text))
        let difference = new.map(\.shape).difference(from: old.map(\.shape))
        let removed = Set(difference.removals.map(\.offset)), inserted = Set(difference.insertions.map(\.offset))
        let kept = zip(old.indices.filter { !removed.contains($0) }, new.indices.filter { !inserted.contains($0) })
        for (before, after) in kept {
            guard let number = new[after].parameter, let was = old[before].parameter else { continue }
            renewed.values[number] = values[was] ?? renewed.values[number]
        }
        return renewed
    }

    /// The share of the words that stayed.
    fileprivate func likeness(to sent: SentStatement) -> Double {
        let (old, new) = (Self.words(text).map(\.shape), Self.words(sent.text).map(\.shape))
        let changes = new.difference(from: old).count
        return 1 - Double(changes) / Double(max(old.count + new.count, 1))
    }

    private struct Word {
        let shape: Substring
        let parameter: Int?
    }

    /// Words and signs; every parameter has the same shape.
    private static func words(_ text: String) -> [Word] {
        text.matches(of: /\$([0-9]+)|\w+|\S/).map { found in
            Word(shape: found.1 == nil ? found.0 : "$", parameter: found.1.flatMap { Int($0) })
        }
    }
}

extension CollectionDifference.Change {
    fileprivate var offset: Int {
        switch self {
        case .insert(let offset, _, _), .remove(let offset, _, _): offset
        }
    }
}
