/// A statement with its values.
///
/// Interpolating a value binds it as a parameter, so text never becomes SQL by accident:
///
/// ```swift
/// let statement: SQL = "select id from accounts where id = \(id) and status = \(status)"   // … = $1 and status = $2
/// ```
///
/// Each parameter is sent with its type, so write a cast if the column has another one: `\(text)::inet`.
package struct SQL: Sendable, ExpressibleByStringInterpolation {
    /// One parameter: the position of its bytes in ``bytes``.
    ///
    /// A length of -1 is NULL.
    @usableFromInline struct Parameter: Sendable, Equatable {
        let type: UInt32
        let offset: Int32
        let length: Int32
    }

    /// The statement in UTF-8; it becomes a `String` only to be prepared.
    let statement: [UInt8]
    let parameters: [Parameter]
    /// The values of the parameters, concatenated.
    let bytes: [UInt8]

    package init(stringLiteral text: String) {
        statement = Array(text.utf8)
        parameters = []
        bytes = []
    }

    package init(stringInterpolation: StringInterpolation) {
        statement = stringInterpolation.statement
        parameters = stringInterpolation.parameters
        bytes = stringInterpolation.bytes
    }

    /// A finished statement without parameters.
    ///
    /// It must not contain any input.
    package init(unsafeSQL text: String) {
        self.init(stringLiteral: text)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        @usableFromInline var statement: [UInt8] = []
        @usableFromInline var parameters: [Parameter] = []
        @usableFromInline var bytes: [UInt8] = []

        package init(literalCapacity: Int, interpolationCount: Int) {
            statement.reserveCapacity(literalCapacity + 3 * interpolationCount)
            parameters.reserveCapacity(interpolationCount)
            bytes.reserveCapacity(24 * interpolationCount)
        }

        package mutating func appendLiteral(_ literal: String) {
            statement.append(contentsOf: literal.utf8)
        }

        /// Inlinable, so that callers in other modules bind their own types without a witness table.
        @inlinable package mutating func appendInterpolation<Value: SQLValue>(_ value: Value) {
            let start = bytes.count
            value.appendWireBytes(to: &bytes)
            bind(type: Value.typeOID, offset: start, length: bytes.count - start)
        }

        @inlinable package mutating func appendInterpolation<Value: SQLValue>(_ value: Value?) {
            if let value {
                appendInterpolation(value)
            } else {
                bind(type: Value.typeOID, offset: 0, length: -1)
            }
        }

        /// Inserts text into the statement: for names of tables and columns from the source code only.
        package mutating func appendInterpolation(unsafeSQL: String) {
            statement.append(contentsOf: unsafeSQL.utf8)
        }

        @usableFromInline mutating func bind(type: UInt32, offset: Int, length: Int) {
            let parameter = Parameter(
                type: type, offset: Int32(truncatingIfNeeded: offset), length: Int32(truncatingIfNeeded: length))
            parameters.append(parameter)
            statement.append(UInt8(ascii: "$"))
            appendNumber(parameters.count)
        }

        private mutating func appendNumber(_ number: Int) {
            if number > 9 { appendNumber(number / 10) }
            statement.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number % 10))
        }
    }
}

extension SQL {
    /// The statement with `$1`, `$2` … for its values.
    package var text: String { String(decoding: statement, as: UTF8.self) }
}

extension SQL: CustomStringConvertible, CustomReflectable {
    /// Contains no values.
    package var description: String { "statement with \(parameters.count) parameters" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
