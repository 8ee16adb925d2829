package import CCurl

/// The result of a transfer as facts, which ``HTTPClient`` and ``SMTPSender`` translate into their own errors.
package struct TransferOutcome: Sendable {
    package enum End: Sendable, Equatable {
        /// libcurl's result code.
        case finished(CURLcode)
        case cancelled
        case overloaded
        case closed
        /// libcurl refused an option, or there is no memory for a handle: nothing was sent.
        case notStarted
    }

    package var end: End
    /// libcurl's message about a failure, or empty; not for logs, since it may quote the server.
    package var words = ""
    /// The last status of HTTP or of SMTP, 0 for none.
    package var status = 0
    /// The number of sent bytes, headers included; 0 while connecting.
    var requestBytes = 0
    var answer = TransferAnswer()
    /// The guard refused an address, and no other one could be tried.
    var isAddressRefused = false
    /// The connection took every byte of the upload.
    var isUploadTaken = false
}

/// The answer of the server, as the callbacks collect it.
struct TransferAnswer: Sendable {
    enum Fault: Sendable, Equatable {
        case tooLarge
        case malformed
    }

    var headers: [(name: String, value: String)] = []
    var body: [UInt8] = []
    /// The reason why a callback stopped the transfer.
    var fault: Fault?
    private var headerBytes = 0

    /// Takes a piece of the body; `false` stops the transfer.
    mutating func takeBody(_ bytes: some Collection<UInt8>, limit: Int) -> Bool {
        guard body.count + bytes.count <= limit else {
            fault = .tooLarge
            return false
        }
        body.append(contentsOf: bytes)
        return true
    }

    /// Takes one header line with its line end; a status line begins a new answer (after a 1xx); `false` stops the transfer.
    mutating func takeHeaderLine(_ line: some BidirectionalCollection<UInt8>, limit: Int) -> Bool {
        headerBytes += line.count
        guard headerBytes <= limit, headers.count < 200 else {
            fault = .tooLarge
            return false
        }
        if line.starts(with: "HTTP/".utf8) {
            headers.removeAll(keepingCapacity: true)
            return true
        }
        return takeField(line)
    }

    private mutating func takeField(_ line: some BidirectionalCollection<UInt8>) -> Bool {
        guard let end = line.lastIndex(where: { $0 != 0x0D && $0 != 0x0A }) else { return true }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            !line[..<colon].contains(where: { $0 <= 0x20 })
        else {
            fault = .malformed
            return false
        }
        // Half open: an empty value (RFC 9110, section 5.5) ends at the colon, and a closed range would trap.
        let value = line[line.index(after: colon)..<line.index(after: end)]
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        let start = value.firstIndex { !isSpace($0) } ?? value.endIndex
        let last = value.lastIndex { !isSpace($0) }.map { value.index(after: $0) } ?? value.endIndex
        headers.append(
            (String(decoding: line[..<colon], as: UTF8.self), String(decoding: value[start..<last], as: UTF8.self)))
        return true
    }
}
