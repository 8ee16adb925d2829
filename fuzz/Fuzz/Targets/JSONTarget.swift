import Foundation
import JSON

/// What is accepted has one meaning: our writer repeats it, and Foundation reads the same.
enum JSONTarget {
    static func read(_ input: [UInt8]) {
        guard let json = try? JSON(parsing: input) else { return }
        let written = json.bytes()
        let again = try? JSON(parsing: written)
        hold(again == json, "a written document is read as the same value")
        hold(again?.bytes() == written, "a document is written in one way")
        let other = try? JSONSerialization.jsonObject(with: Data(input), options: .fragmentsAllowed)
        hold(other.map { isSame(json, $0) } ?? false, "Foundation reads the same value")
    }

    private static func isSame(_ json: JSON, _ other: Any) -> Bool {
        switch json {
        case .null: other is NSNull
        case .bool(let value): (other as? NSNumber)?.boolValue == value
        case .integer(let value): isClose(Double(value), other)
        case .double(let value): isClose(value, other)
        case .string(let value): (other as? String).map(value.hasSameBytes) ?? false
        case .array(let elements): isSame(elements, other as? [Any])
        case .object(let object): isSame(object, other as? [String: Any])
        }
    }

    /// Foundation rounds the last digits otherwise.
    private static func isClose(_ value: Double, _ other: Any) -> Bool {
        guard let other = (other as? NSNumber)?.doubleValue else { return false }
        return abs(value - other) <= 1e-12 * max(abs(value), abs(other)) + .leastNormalMagnitude
    }

    private static func isSame(_ elements: [JSON], _ others: [Any]?) -> Bool {
        guard let others, others.count == elements.count else { return false }
        return zip(elements, others).allSatisfy { isSame($0, $1) }
    }

    private static func isSame(_ object: JSONObject, _ others: [String: Any]?) -> Bool {
        guard let others else { return false }
        // Foundation takes two spellings of a letter for one name.
        guard others.count == object.members.count else { return Set(object.members.map(\.name)).count == others.count }
        return object.members.allSatisfy { member in others[member.name].map { isSame(member.value, $0) } ?? false }
    }
}
