import Clients
import JSON

/// The brand of an app in a form: one field for each of its members.
extension ClientFields {
    /// The label of each is the message `console.client.<it>`.
    static let brand = ClientBrand.members.map { "brand_\($0)" }

    static func brandTexts(_ brand: Facts) -> [String: String] {
        Dictionary(uniqueKeysWithValues: ClientBrand.members.map { ("brand_\($0)", brand[$0] ?? "") })
    }

    /// The brand; null if nothing is entered.
    static func brand(_ texts: [String: String]) -> JSON {
        var brand: JSONObject = [:]
        for member in ClientBrand.members {
            let text = (texts["brand_\(member)"] ?? "").split(whereSeparator: \.isWhitespace).joined(separator: " ")
            if !text.isEmpty { brand[member] = .string(text) }
        }
        return brand.members.isEmpty ? .null : .object(brand)
    }
}
