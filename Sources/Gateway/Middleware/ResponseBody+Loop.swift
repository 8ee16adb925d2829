import Hummingbird

extension ResponseBody {
    /// More bytes than this are written in parts.
    private static let maximumAtOnce = 65_536

    /// The same body, which lets the connection's event loop go on before each of many parts.
    ///
    /// It is written on that loop and waits by itself only for a reader that is slow. That a reader has gone, only the loop
    /// finds out: without its turn the rest would be written to nobody, and a body without an end for ever.
    ///
    /// - Parameter going: told before each part that the reader has taken those before it, up to what waits in memory.
    func inTurns(_ going: @escaping @Sendable () -> Void = {}) -> ResponseBody {
        if let contentLength, contentLength <= Self.maximumAtOnce { return self }
        return map { part in
            await Task.yield()
            going()
            return part
        }
    }
}
