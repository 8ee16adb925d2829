import Cryptography
import Foundation
import Testing

@testable import Sessions

@Suite("Refresh tokens")
struct RefreshTokenTests {
    private let session = UUID()

    private func first(_ tokens: RefreshTokens) -> RefreshToken {
        tokens.first(session: session, secret: RandomBytes.system(RefreshToken.secretLength))
    }

    @Test("an issued token is read back")
    func roundTrip() throws {
        let tokens = RefreshTokens(keys: try TestKeys.keys("a"))
        let token = first(tokens)
        let parsed = try #require(tokens.parse(tokens.text(token)))
        #expect(parsed == token)
        #expect(parsed.session == session)
        #expect(parsed.generation == 0)
    }

    @Test("S-04: a token has one successor, equal each time and on each server, and different for each token")
    func successor() throws {
        let here = RefreshTokens(keys: try TestKeys.keys("a"))
        let there = RefreshTokens(keys: try TestKeys.keys("a"))
        let token = first(here)
        #expect(here.successor(of: token) == there.successor(of: token))
        #expect(here.successor(of: token).generation == 1)
        #expect(here.successor(of: token).digest != token.digest)
        #expect(here.successor(of: first(here)).digest != here.successor(of: token).digest)
    }

    @Test("a token with any changed character is unknown")
    func tampering() throws {
        let tokens = RefreshTokens(keys: try TestKeys.keys("a"))
        let text = tokens.text(first(tokens))
        for index in text.indices {
            var changed = text
            changed.replaceSubrange(index...index, with: text[index] == "A" ? "B" : "A")
            #expect(tokens.parse(changed) == nil, "\(text.distance(from: text.startIndex, to: index))")
        }
        #expect(tokens.parse(text + "A") == nil)
        #expect(tokens.parse(String(text.dropLast())) == nil)
        #expect(tokens.parse("") == nil)
    }

    @Test("a token survives a change of the master key, as long as the old key is kept")
    func keyChange() throws {
        let old = RefreshTokens(keys: try TestKeys.keys("a"))
        let text = old.text(first(old))
        #expect(RefreshTokens(keys: try TestKeys.keys("b", "a")).parse(text) != nil)
        #expect(RefreshTokens(keys: try TestKeys.keys("b")).parse(text) == nil)
    }

    @Test("no digest or description contains a part of the secret")
    func secrecy() throws {
        let tokens = RefreshTokens(keys: try TestKeys.keys("a"))
        let token = first(tokens)
        let bytes = try #require(Base64URL.decode(tokens.text(token).dropFirst(3)))
        #expect(!token.digest.elementsEqual(bytes[20..<52]))
        #expect(token.digest == SHA256.hash(Array(bytes[20..<52])))
    }
}
