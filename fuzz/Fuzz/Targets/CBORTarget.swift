import WebAuthnTestAuthenticator

@testable import WebAuthn

/// A value has one encoding: an independent writer repeats the input.
enum CBORTarget {
    static func read(_ input: [UInt8]) {
        guard let value = try? CBOR(parsing: input) else { return }
        hold(value.item.encoded == input, "a value has one encoding")
        hold((try? CBOR(parsing: input + [0])) == nil, "nothing may follow a value")
        _ = try? COSEKey(value)
    }
}

extension CBOR {
    fileprivate var item: CBORItem {
        switch self {
        case .integer(let value): .integer(value)
        case .bytes(let bytes): .bytes(bytes)
        case .text(let text): .text(text)
        case .array(let elements): .array(elements.map(\.item))
        case .map(let entries): .map(entries.map { ($0.key.item, $0.value.item) })
        case .bool(let value): .bool(value)
        case .null: .raw([0xF6])
        }
    }
}
