/// HTTP/2 frame by frame (RFC 9113), for actions that no correct client takes.
struct HTTP2Client: Sendable {
    struct Frame: Sendable, Equatable {
        enum Kind: UInt8 {
            case data, headers, priority, reset, settings, pushPromise, ping, goodbye, windowUpdate, continuation
        }

        let kind: Kind
        let flags: UInt8
        let stream: UInt32
        let payload: [UInt8]

        var endsStream: Bool { [.data, .headers].contains(kind) && flags & 1 != 0 }
        var isAnswer: Bool { [.settings, .ping].contains(kind) && flags & 1 != 0 }

        init(_ kind: Kind, flags: UInt8 = 0, stream: UInt32 = 0, _ payload: [UInt8] = []) {
            (self.kind, self.flags, self.stream, self.payload) = (kind, flags, stream, payload)
        }

        var bytes: [UInt8] {
            let length = payload.count
            return [UInt8(length >> 16), UInt8(length >> 8 & 255), UInt8(length & 255), kind.rawValue, flags]
                + HTTP2Client.four(stream) + payload
        }
    }

    private var connection: SecureClient
    /// Whether it answers the server's settings and pings.
    private let isPolite: Bool

    /// Opens a connection and sends a client's first bytes.
    ///
    /// - Parameter settings: pairs of identifier and value.
    init(_ listener: SecureListener, settings: [(UInt16, UInt32)] = [], isPolite: Bool = true) async throws {
        self.isPolite = isPolite
        connection = try await SecureClient(
            port: listener.port, trusting: listener.pair.certificate, protocols: ["h2"])
        let payload = settings.flatMap { [UInt8($0.0 >> 8), UInt8($0.0 & 255)] + Self.four($0.1) }
        try await connection.send(Self.preface + Frame(.settings, payload).bytes)
    }

    /// The first bytes of a client (RFC 9113 section 3.4).
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    func send(_ frame: Frame) async throws {
        try await connection.send(frame.bytes)
    }

    /// Sends all frames in one write, as fast as possible.
    func send(_ frames: [Frame]) async throws {
        try await connection.send(frames.flatMap(\.bytes))
    }

    /// Opens a stream with a request.
    ///
    /// - Parameters:
    ///   - fields: in addition to the pseudo-header fields, in lower case.
    ///   - ends: whether the request has no body.
    func request(
        _ stream: UInt32, _ method: String = "GET", _ path: String = "/", fields: [(String, String)] = [],
        ends: Bool = true
    ) async throws {
        try await send(Self.asking(stream, method, path, fields: fields, ends: ends))
    }

    /// The frame that opens a stream with a request.
    static func asking(
        _ stream: UInt32, _ method: String = "GET", _ path: String = "/", fields: [(String, String)] = [],
        ends: Bool = true
    ) -> Frame {
        let all = [(":method", method), (":scheme", "https"), (":authority", "localhost"), (":path", path)] + fields
        return opening(stream, all, ends: ends)
    }

    /// Opens a stream with only these fields.
    func open(_ stream: UInt32, _ fields: [(String, String)], ends: Bool = true) async throws {
        try await send(Self.opening(stream, fields, ends: ends))
    }

    private static func opening(_ stream: UInt32, _ fields: [(String, String)], ends: Bool) -> Frame {
        Frame(.headers, flags: ends ? 5 : 4, stream: stream, fields.flatMap { literal($0.0, $0.1) })
    }

    /// The next frame; `nil` after the server closed.
    mutating func next() async throws -> Frame? {
        guard let head = await connection.receive(9),
            let payload = await connection.receive(Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])),
            let kind = Frame.Kind(rawValue: head[3])
        else { return nil }
        let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
        let frame = Frame(kind, flags: head[4], stream: stream, payload)
        if isPolite, [.settings, .ping].contains(kind), !frame.isAnswer {
            // The server may have closed after the frame.
            try? await send(Frame(kind, flags: 1, kind == .ping ? payload : []))
        }
        return frame
    }

    /// Reads until the server closes.
    mutating func isClosed() async throws -> Bool {
        while try await next() != nil {}
        return true
    }

    /// Reads until the first frame that meets the condition; `nil` if the server closed before.
    mutating func next(where isWanted: (Frame) -> Bool) async throws -> Frame? {
        while let frame = try await next() {
            if isWanted(frame) { return frame }
        }
        return nil
    }

    /// The frames of one stream, up to its end or reset.
    mutating func answer(_ stream: UInt32) async throws -> [Frame] {
        var frames: [Frame] = []
        while let frame = try await next(where: { $0.stream == stream && $0.kind != .windowUpdate }) {
            frames.append(frame)
            if frame.endsStream || frame.kind == .reset { break }
        }
        return frames
    }

    fileprivate static func four(_ number: UInt32) -> [UInt8] {
        [24, 16, 8, 0].map { UInt8(number >> $0 & 255) }
    }

    /// A field as text, without a table (RFC 7541 section 6.2.2).
    private static func literal(_ name: String, _ value: String) -> [UInt8] {
        [0] + string(name) + string(value)
    }

    private static func string(_ text: String) -> [UInt8] {
        var rest = text.utf8.count
        guard rest >= 127 else { return [UInt8(rest)] + Array(text.utf8) }
        var length: [UInt8] = [127]
        rest -= 127
        while rest >= 128 {
            length.append(UInt8(rest & 127 | 128))
            rest >>= 7
        }
        return length + [UInt8(rest)] + Array(text.utf8)
    }
}

extension [HTTP2Client.Frame] {
    /// Whether the answer's status is 200 (RFC 7541 appendix A, index 8).
    var isOK: Bool { first?.kind == .headers && first?.payload.first == 0x88 }

    /// The bytes of the body as text.
    var text: String {
        String(decoding: filter { $0.kind == .data }.flatMap(\.payload), as: UTF8.self)
    }

    /// The code of a reset, if it ended the stream.
    var reset: UInt8? { last?.kind == .reset ? last?.payload.last : nil }
}
