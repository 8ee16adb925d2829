import Cryptography
import Foundation

extension UUID {
    /// An id as every door writes it (RFC 9562 §4, in lower case).
    var idText: String { text }
}
