import Cryptography
import Vocabulary

/// A typed name has one key, which stands for itself; a code is what was issued.
enum NameTarget {
    static func read(_ input: [UInt8]) {
        let typed = String(decoding: input, as: UTF8.self)
        if let name = SignInName(typed) {
            let again = SignInName(name.text)
            hold(again?.key == name.key && again?.kind == name.kind, "a displayed name is the same name")
            hold(SignInName(name.key)?.key == name.key, "a key stands for itself")
        }
        if let address = EmailAddress(typed) {
            hold(address.text.utf8.allSatisfy { $0 > 0x20 && $0 != 0x7F }, "an address fits on a header line")
            hold(EmailAddress(address.key)?.key == address.key, "an address's key stands for itself")
            hold(!address.throttleKey.isEmpty, "an address has a throttle")
        }
        if let number = PhoneNumber(typed) {
            hold(number.text.utf8.dropFirst().allSatisfy { (0x30...0x39).contains($0) }, "a number has digits")
            hold(PhoneNumber(number.text) == number, "a number has one spelling")
        }
        for shape in [CodeShape.digits, .recovery, .foreign] {
            guard let code = shape.code(in: typed) else { continue }
            hold(shape.code(in: code) == code, "a code stands for itself")
        }
        _ = SignInName.throttleKey(typed)
    }
}
