import Hummingbird

extension ResponseBody {
    /// Longer bodies are written in parts.
    private static let maximumAtOnce = 65_536

    /// The same body, which yields to the connection's event loop before each part.
    ///
    /// The body is written on that loop, and only the loop notices that the client has disconnected. Without the yield, an
    /// endless body would be written forever.
    ///
    /// - Parameter going: called before each part, once the client has read the earlier ones up to the buffer's limit.
    func inTurns(_ going: @escaping @Sendable () -> Void = {}) -> ResponseBody {
        if let contentLength, contentLength <= Self.maximumAtOnce { return self }
        return map { part in
            await Task.yield()
            going()
            return part
        }
    }
}
