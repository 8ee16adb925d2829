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
    /// Bytes from the start of the document to the error.
    package let offset: Int
    /// The value at the error, as a JSON Pointer (RFC 6901).
    ///
    /// Contains names from the document: untrusted text.
    package let pointer: String

    init(problem: Problem, offset: Int, pointer: String = "") {
        self.problem = problem
        self.offset = offset
        self.pointer = pointer
    }

    /// The same error, with the pointer extended by one level.
    func inside(_ token: String) -> JSONError {
        JSONError(problem: problem, offset: offset, pointer: JSONPointer.text([token]) + pointer)
    }
}
