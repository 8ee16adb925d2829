import CPostgres
import Glibc

/// Owns a `PGconn`: connects in `init`, closes in `deinit`.
@safe struct ConnectionHandle: ~Copyable {
    let raw: OpaquePointer
    /// 1 after the server reported that a commit stopped waiting for its synchronous standby.
    private let unreplicated: UnsafeMutablePointer<UInt8>

    /// Connects; blocks for up to `connect_timeout`.
    ///
    /// Options of the connection string take precedence over the defaults here, except for the encoding. Of several
    /// hosts, it selects a host that accepts changes, because after a fail-over the first may be a standby. PostgreSQL
    /// reports this while connecting, so it takes no extra query.
    init(_ configuration: PostgresConfiguration) throws(ConnectFailure) {
        do {
            try configuration.validate()
        } catch {
            throw .connectionString
        }
        guard let connection = unsafe Self.connect(Self.options(configuration)) else { throw .outOfMemory }
        guard unsafe PQstatus(connection) == CONNECTION_OK else {
            let message = unsafe String(cString: PQerrorMessage(connection))
            unsafe PQfinish(connection)
            throw .refused(message)
        }
        unsafe unreplicated = .allocate(capacity: 1)
        unsafe unreplicated.initialize(to: 0)
        unsafe gateway_note_notices(connection, unreplicated)
        unsafe raw = connection
    }

    /// libpq's message of a failed connection, with the server's codes; nil if it succeeds.
    static func refusal(_ configuration: PostgresConfiguration) -> String? {
        guard let connection = unsafe connect(options(configuration)) else { return nil }
        defer { unsafe PQfinish(connection) }
        guard unsafe PQstatus(connection) != CONNECTION_OK else { return nil }
        // The verbosity can be set only on an existing `PGconn`.
        _ = unsafe PQsetErrorVerbosity(connection, PQERRORS_VERBOSE)
        unsafe PQreset(connection)
        guard unsafe PQstatus(connection) != CONNECTION_OK else { return nil }
        return unsafe String(cString: PQerrorMessage(connection))
    }

    private static func options(_ configuration: PostgresConfiguration) -> [(String, String)] {
        [
            ("connect_timeout", "2"), ("gssencmode", "disable"),
            ("fallback_application_name", configuration.applicationName),
            ("keepalives_idle", "10"), ("keepalives_interval", "3"), ("keepalives_count", "3"),
            ("tcp_user_timeout", "10000"), ("target_session_attrs", "read-write"),
            ("dbname", configuration.url), ("client_encoding", "UTF8"),
        ]
    }

    deinit {
        unsafe PQfinish(raw)
        unsafe unreplicated.deallocate()
    }

    private static func connect(_ options: [(String, String)]) -> OpaquePointer? {
        let strings = unsafe options.flatMap { unsafe [strdup($0.0), strdup($0.1)] }
        defer { unsafe strings.forEach { unsafe free($0) } }
        var keywords: [UnsafePointer<CChar>?] = unsafe []
        var values: [UnsafePointer<CChar>?] = unsafe []
        for index in stride(from: 0, to: unsafe strings.count, by: 2) {
            unsafe keywords.append(UnsafePointer(strings[index]))
            unsafe values.append(UnsafePointer(strings[index + 1]))
        }
        unsafe keywords.append(nil)
        unsafe values.append(nil)
        return unsafe PQconnectdbParams(keywords, values, 1)
    }

    var socket: Int32 { unsafe PQsocket(raw) }
    var isBroken: Bool { unsafe PQstatus(raw) != CONNECTION_OK }
    var isInTransaction: Bool { unsafe PQtransactionStatus(raw) != PQTRANS_IDLE }

    /// Whether a commit reached this server only, although a synchronous standby was required.
    var hasUnreplicatedCommit: Bool { unsafe unreplicated.pointee != 0 }

    var hasFailedTransaction: Bool { unsafe PQtransactionStatus(raw) == PQTRANS_INERROR }

    /// Whether the server has closed the connection.
    ///
    /// It takes one system call: an idle connection has nothing to read unless the server closes it. The server's last
    /// message comes before the end of the stream, so one read would mistake it for a sign of life.
    func hasDied() -> Bool {
        for _ in 0..<100 where !isBroken {
            guard SocketWatch.isReadable(socket) else { return false }
            if unsafe PQconsumeInput(raw) == 0 { return true }
        }
        return isBroken
    }
}

/// The reason of a failed connection.
enum ConnectFailure: Error, Equatable {
    case connectionString
    case outOfMemory
    /// libpq's message: host, port, user and database name, never the password.
    case refused(String)
    case setup(String)

    /// The first line, for the log.
    var message: String {
        switch self {
        case .connectionString: "the connection string can't be read"
        case .outOfMemory: "out of memory"
        case .refused(let text), .setup(let text): String(text.prefix { $0 != "\n" })
        }
    }
}

/// The state of sockets, asked from the kernel.
enum SocketWatch {
    /// Whether data is available or the peer has closed.
    static func isReadable(_ socket: Int32) -> Bool {
        var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&entry, 1, 0) > 0
    }

    /// Shuts a connection down from another thread, so that a read on it ends.
    ///
    /// The descriptor stays open.
    static func breakOff(_ socket: Int32) {
        _ = Glibc.shutdown(socket, Int32(SHUT_RDWR))
    }
}
