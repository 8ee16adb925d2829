import Clients
import HTTPServer
import Hummingbird
import JSON
import Providers
import SignIn
import Vocabulary

/// Members that several requests have.
extension JSONObject {
    /// `scope` and `nonce`: the ID token of the session that the call begins.
    func tokens() throws(Problem) -> TokenOrder {
        let (scope, nonce) = (try optional("scope"), try optional("nonce"))
        do throws(Rejection) {
            return try TokenOrder(at: .gateway, scope: scope, nonce: nonce)
        } catch {
            throw Problem(error)
        }
    }

    /// `bot_check`: the answer of the widget.
    func botToken() throws(Problem) -> String? { try optional("bot_check", most: BotToken.longest) }

    func device() throws(Problem) -> DeviceHint {
        let device = try object("device", absent: [:])
        do throws(Problem) {
            _ = try device.limited(to: ["name", "token"])
            let name = try device.optional("name", most: 400).flatMap { DisplayName.clean($0, limit: 100) }
            return DeviceHint(name: name, token: try device.optional("token", most: 100))
        } catch {
            throw error.under("/device")
        }
    }
}
