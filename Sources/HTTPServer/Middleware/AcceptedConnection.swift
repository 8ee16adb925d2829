import HummingbirdCore
import NIOCore
import Synchronization

/// A kind of connection that can be closed before any request is served.
protocol ClosesUnserved: ServerChildChannel {
    func closeUnserved(_ connection: Value) async
}

extension HTTP1Channel: ClosesUnserved {
    func closeUnserved(_ connection: Value) async {
        try? await connection.executeThenClose { _, _ in }
    }
}

/// An accepted connection until its task takes it.
///
/// If the server stops before that, this closes the connection: NIO stops the process when the writer of an open connection
/// is released unfinished.
final class AcceptedConnection<Kind: ClosesUnserved>: ServerChildChannelValue {
    private let connection: Kind.Value
    private let kind: Kind
    private let isTaken = Atomic(false)

    var channel: any Channel { connection.channel }

    init(_ connection: Kind.Value, kind: Kind) {
        self.connection = connection
        self.kind = kind
    }

    deinit {
        guard !isTaken.load(ordering: .relaxed) else { return }
        Task { [connection, kind] in await kind.closeUnserved(connection) }
    }

    /// Hands over the connection; the caller has to close it.
    func take() -> Kind.Value {
        isTaken.store(true, ordering: .relaxed)
        return connection
    }
}
