import HummingbirdCore
import NIOCore
import Synchronization

/// A kind of connection that can be closed without having been served.
protocol ClosesUnserved: ServerChildChannel {
    func closeUnserved(_ connection: Value) async
}

extension HTTP1Channel: ClosesUnserved {
    func closeUnserved(_ connection: Value) async {
        try? await connection.executeThenClose { _, _ in }
    }
}

/// A connection that was accepted, until it is taken up.
///
/// Nobody takes it up where the server stops in between. It is closed all the same: NIO ends the process when the writer of
/// an open connection goes without having been finished.
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

    /// The connection, which whoever asks has to see to its end.
    func take() -> Kind.Value {
        isTaken.store(true, ordering: .relaxed)
        return connection
    }
}
