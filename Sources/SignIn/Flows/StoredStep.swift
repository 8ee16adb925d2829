/// A step of any kind with its name, as the sealed state keeps it.
struct StoredStep: Codable, Sendable {
    let step: any FlowStep

    private enum CodingKeys: String, CodingKey {
        case kind, step
    }

    init(_ step: any FlowStep) { self.step = step }

    /// - Throws: `DecodingError` for an unknown kind, or a step of another form.
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let kind = try container.decode(String.self, forKey: .kind)
        guard let type = FlowSteps.all.first(where: { $0.kind == kind }) else {
            throw DecodingError.dataCorruptedError(forKey: .kind, in: container, debugDescription: "unknown kind")
        }
        step = try container.decode(type, forKey: .step)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(type(of: step).kind, forKey: .kind)
        try container.encode(step, forKey: .step)
    }
}
