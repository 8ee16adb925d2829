import Hummingbird

/// A dialect in which others speak to the gateway: it decodes, calls one service method, translates and encodes, and
/// decides nothing about who may sign in.
protocol FrontDoor: Sendable {
    /// Puts the door's routes on the public router.
    func mount(on router: Router<GatewayContext>)
}
