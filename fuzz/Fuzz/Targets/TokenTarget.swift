import Cryptography
import Foundation
import Sessions

@testable import SignIn

/// Only what the gateway made is read, and it has one spelling.
///
/// Reads a token of any kind, and content from which a valid one is made: one a line.
enum TokenTarget {
    private static let refresh = RefreshTokens(keys: Fixture.masterKeys)
    private static let handovers = HandoverCodes(keys: Fixture.masterKeys)
    private static let cookies = SessionCookies(keys: Fixture.masterKeys)
    private static let flows = FlowTokens(keys: Fixture.masterKeys)
    private static let box = SealedBox(Fixture.masterKeys)

    static func read(_ input: [UInt8]) {
        let parts = Input(input, most: 2)
        let text = parts.text(0)
        hold(refresh.parse(text) == nil && handovers.parse(text) == nil && cookies.parse(text) == nil, "it is forged")
        hold(flows.kind(of: text) == nil, "a flow token is forged")
        hold((try? box.open(input, purpose: "fuzz")) == nil, "a sealed value is forged")
        guard let place = parts.bytes(0).first.map(Int.init) else { return }
        made(parts.text(1), place)
    }

    private static func made(_ content: String, _ place: Int) {
        let session = UUID()
        let binding = CodeBinding(redirectURI: content, challenge: content.isEmpty ? nil : content)
        let nonce = String(content.prefix(200))
        let code = handovers.make(session: session, binding, nonce: nonce.isEmpty ? nil : nonce)
        let codeText = handovers.text(code)
        hold(handovers.parse(codeText) == code || codeText.utf8.count > 1_024, "a made code is read")
        hold(handovers.parse(changed(codeText, place)) == nil, "a changed code is refused")
        let token = refresh.first(session: session, secret: SHA256.hash(content))
        hold(refresh.parse(refresh.text(token)) == token, "a made token is read")
        hold(refresh.parse(changed(refresh.text(token), place)) == nil, "a changed token is refused")
        let cookie = cookies.make(session: session)
        hold(cookies.parse(cookies.text(cookie)) == cookie, "a made cookie is read")
        hold(cookies.parse(changed(cookies.text(cookie), place)) == nil, "a changed cookie is refused")
        let flow = FlowReference(session, .signUp, client: "app " + content.prefix(40), revision: content.utf8.count)
        let flowText = flows.text(flow)
        hold((try? flows.parse(flowText, .signUp)) == flow || flowText.utf8.count > 160, "a made flow token is read")
        hold((try? flows.parse(flowText, .factor)) == nil, "a flow token is for its kind")
        hold(flows.kind(of: changed(flowText, place)) == nil, "a changed flow token is refused")
        let sealed = box.seal(Array(content.utf8), purpose: "fuzz")
        hold((try? box.open(sealed, purpose: "fuzz")) == Array(content.utf8), "a sealed value is opened")
        hold((try? box.open(sealed.flipped(place), purpose: "fuzz")) == nil, "a changed value is refused")
        hold((try? box.open(sealed, purpose: "other")) == nil, "a value is sealed for one purpose")
    }

    private static func changed(_ text: String, _ place: Int) -> String {
        String(decoding: Array(text.utf8).flipped(place), as: UTF8.self)
    }
}
