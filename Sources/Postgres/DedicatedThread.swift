import CPostgres
import Glibc

/// Operating system threads for blocking work: connections of the pool, the listener, migrations.
package enum DedicatedThread {
    /// In bytes: enough for libpq with TLS and DNS.
    ///
    /// Unused pages cost no memory.
    private static let stackSize = 1 << 20

    private final class Body: Sendable {
        let name: String
        let run: @Sendable () -> Void

        init(name: String, run: @escaping @Sendable () -> Void) {
            self.name = name
            self.run = run
        }
    }

    /// Starts a detached thread.
    ///
    /// `top -H` shows the first 15 bytes of `name`.
    ///
    /// - Returns: false if the system refuses; then `body` never runs.
    package static func start(name: String, _ body: @escaping @Sendable () -> Void) -> Bool {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        unsafe pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        unsafe pthread_attr_setstacksize(&attributes, stackSize)

        let context = unsafe Unmanaged.passRetained(Body(name: name, run: body))
        var thread = pthread_t()
        let status = unsafe pthread_create(&thread, &attributes, threadMain, context.toOpaque())
        if status != 0 { unsafe context.release() }
        return status == 0
    }

    private static let threadMain: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { context in
        guard let context = unsafe context else { return nil }
        let body = unsafe Unmanaged<Body>.fromOpaque(context).takeRetainedValue()
        unsafe body.name.withCString { name in unsafe gateway_name_this_thread(name) }
        body.run()
        return nil
    }
}
