import Foundation

/// An sRGB colour for buttons and links, as `#rrggbb`.
package struct AccentColour: Sendable, Hashable {
    package let red: UInt8
    package let green: UInt8
    package let blue: UInt8

    package static let white = AccentColour(red: 255, green: 255, blue: 255)
    package static let black = AccentColour(red: 0, green: 0, blue: 0)
    /// The least contrast of text (WCAG 2.2, success criterion 1.4.3).
    static let leastContrast = 4.5

    package init(red: UInt8, green: UInt8, blue: UInt8) {
        (self.red, self.green, self.blue) = (red, green, blue)
    }

    /// Parses `#rrggbb`; nil for any other text.
    package init?(_ text: String) {
        let digits = Array(text.utf8)
        guard digits.count == 7, digits[0] == UInt8(ascii: "#"),
            digits.dropFirst().allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let value = UInt32(text.dropFirst(), radix: 16)
        else { return nil }
        self.init(
            red: UInt8(truncatingIfNeeded: value >> 16), green: UInt8(truncatingIfNeeded: value >> 8),
            blue: UInt8(truncatingIfNeeded: value))
    }

    package var text: String {
        "#" + [red, green, blue].map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    /// From 1 to 21 (WCAG 2.2, contrast ratio).
    package func contrast(with other: AccentColour) -> Double {
        let (one, two) = (luminance, other.luminance)
        return (max(one, two) + 0.05) / (min(one, two) + 0.05)
    }

    /// The colour mixed with another one; `share` is the other one's, from 0 to 1.
    package func mixed(with other: AccentColour, share: Double) -> AccentColour {
        func mix(_ one: UInt8, _ two: UInt8) -> UInt8 {
            UInt8((Double(one) * (1 - share) + Double(two) * share).rounded())
        }
        return AccentColour(red: mix(red, other.red), green: mix(green, other.green), blue: mix(blue, other.blue))
    }

    /// Black or white, whichever is easier to read on this colour.
    ///
    /// One of them always reaches ``leastContrast``.
    package var textColour: AccentColour {
        contrast(with: .white) >= contrast(with: .black) ? .white : .black
    }

    /// The relative luminance (WCAG 2.2).
    private var luminance: Double {
        func linear(_ part: UInt8) -> Double {
            let part = Double(part) / 255
            return part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4)
        }
        return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }
}
