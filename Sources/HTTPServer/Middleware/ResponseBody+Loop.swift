import Hummingbird

extension ResponseBody {
    /// Longer bodies are written in parts.
    private static let maximumAtOnce = 65_536

    /// The same body, which leaves the connection's event loop before each part.
    ///
    /// The body is written on that loop. While its reader is fast enough, no write waits: the loop would then serve no
    /// other connection, and would not notice that this client has disconnected.
    ///
    /// - Parameter going: called before each part, once the client has read the earlier ones up to the buffer's limit.
    func inTurns(_ going: @escaping @Sendable () -> Void = {}) -> ResponseBody {
        if let contentLength, contentLength <= Self.maximumAtOnce { return self }
        return map { part in
            await EventLoopExecutor.leaveOnce()
            going()
            return part
        }
    }
}
