/// The lifetimes of a browser's session, from which the sessions of apps begin.
package struct BrowserSessions: Sendable {
    /// The idle timeout, in seconds.
    package let idle: Int
    /// The maximum lifetime, in seconds.
    package let maximum: Int

    package init(idle: Int, maximum: Int) {
        (self.idle, self.maximum) = (idle, maximum)
    }
}
