import NIOCore
import NIOPosix

extension ClientBootstrap {
    /// A client that gives a machine under load time to take its connection: NIO's own ten seconds run out there.
    static var patient: ClientBootstrap {
        ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(.minutes(1))
    }
}
