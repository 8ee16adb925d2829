import NIOCore
import NIOPosix

extension ClientBootstrap {
    /// A client with a longer connection timeout for busy machines: NIO's default is ten seconds.
    static var patient: ClientBootstrap {
        ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connectTimeout(.minutes(1))
    }
}
