import JSON

/// The members of a control request, read strictly: unknown names and wrong types are refused.
struct ControlMembers: Sendable {
    let object: JSONObject

    init(parsing body: [UInt8]) throws(ControlError) {
        let limits = JSONLimits(bytes: 8 << 20, depth: 16, members: 100_000, numberLength: 64, allowsNUL: true)
        do {
            guard let object = try JSON(parsing: body, limits: limits).object else {
                throw ControlError("the body must be a JSON object")
            }
            self.object = object
        } catch let error as JSONError {
            throw ControlError("the body is not JSON: \(error.problem) at byte \(error.offset)")
        } catch {
            throw ControlError("the body must be a JSON object")
        }
    }

    init(_ object: JSONObject) {
        self.object = object
    }

    /// Reads a query instead of a body: every value is a text.
    init(_ query: Parameters) {
        object = JSONObject(query.names.map { JSONObject.Member(name: $0, value: .string(query.value($0))) })
    }

    func expectOnly(_ names: Set<String>) throws(ControlError) {
        for member in object.members where !names.contains(member.name) {
            throw ControlError("there is no member \(member.name) here")
        }
    }

    func provider() throws(ControlError) -> ProviderName {
        guard let name = try text("provider"), let provider = ProviderName(rawValue: name) else {
            throw ControlError("provider is one of \(ProviderName.all.map(\.rawValue).joined(separator: ", "))")
        }
        return provider
    }

    func isNull(_ name: String) -> Bool { object[name]?.isNull ?? false }

    func text(_ name: String) throws(ControlError) -> String? { try read(name, "a text", \.string) }
    func flag(_ name: String) throws(ControlError) -> Bool? { try read(name, "true or false", \.bool) }
    func object(_ name: String) throws(ControlError) -> JSONObject? { try read(name, "an object", \.object) }

    func number(_ name: String, in range: ClosedRange<Int>) throws(ControlError) -> Int? {
        guard let number = try read(name, "a whole number", \.integer) else { return nil }
        guard range.contains(number) else {
            throw ControlError("\(name) is between \(range.lowerBound) and \(range.upperBound)")
        }
        return number
    }

    func list(_ name: String) throws(ControlError) -> [JSON]? { try read(name, "a list", \.array) }

    func texts(_ name: String) throws(ControlError) -> [String]? {
        guard let values = try read(name, "a list of texts", \.array) else { return nil }
        let texts = values.compactMap(\.string)
        guard texts.count == values.count else { throw ControlError("\(name) is a list of texts") }
        return texts
    }

    private func read<Value>(
        _ name: String, _ kind: String, _ path: KeyPath<JSON, Value?>
    ) throws(ControlError) -> Value? {
        guard let member = object[name] else { return nil }
        guard let value = member[keyPath: path] else { throw ControlError("\(name) must be \(kind)") }
        return value
    }
}

/// The reason why a control request was refused, for the developer who sent it.
struct ControlError: Error, Equatable, Sendable {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
