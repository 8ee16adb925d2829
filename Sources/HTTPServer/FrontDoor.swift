package import Hummingbird

/// The part that speaks one protocol to callers.
///
/// It decodes, calls one service method, translates and encodes. It never decides whether a user may sign in.
package protocol FrontDoor: Sendable {
    /// Puts the door's routes on the public router.
    func mount(on router: Router<GatewayContext>)
}
