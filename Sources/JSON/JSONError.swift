/// Why a document was not read.
package struct JSONError: Error, Equatable, Sendable {
    package enum Problem: Equatable, Sendable, CaseIterable {
        case tooLarge, tooDeep, tooManyMembers
        case numberTooLong, numberMalformed, numberOutOfRange
        case byteOrderMark, invalidUTF8
        case escapeMalformed, loneSurrogate, controlCharacter, forbiddenNUL
        case duplicateName
        case unexpectedByte, unexpectedEnd, trailingBytes
    }

    package let problem: Problem
    /// Bytes from the start of the document to where reading stopped.
    package let offset: Int
    /// The value that was being read, as a JSON Pointer (RFC 6901).
    ///
    /// Made of names in the document: untrusted text.
    package let pointer: String

    init(problem: Problem, offset: Int, pointer: String = "") {
        self.problem = problem
        self.offset = offset
        self.pointer = pointer
    }

    /// The same error, seen from one level further out.
    func inside(_ token: String) -> JSONError {
        var escaped = ""
        for character in token.unicodeScalars {
            switch character {
            case "~": escaped += "~0"
            case "/": escaped += "~1"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return JSONError(problem: problem, offset: offset, pointer: "/" + escaped + pointer)
    }
}
