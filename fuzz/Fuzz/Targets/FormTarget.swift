import Authorization
import Foundation
import HTTPServer

@testable import Authorization

/// A form has each parameter once, and is read alike when it is written anew.
enum FormTarget {
    static func read(_ input: [UInt8]) {
        guard let form = try? FormBody(input) else { return }
        hold(form.fields.count <= 200, "a form has at most 200 fields")
        hold(Set(form.names.map { Array($0.utf8) }).count == form.names.count, "a parameter occurs once")
        hold(form.fields.allSatisfy { !($0.name + $0.value).utf8.contains(0) }, "no text has a NUL")
        let written = form.fields.map { encoded($0.name) + "=" + encoded($0.value) }.joined(separator: "&")
        hold((try? FormBody(Array(written.utf8))) == form, "a written form is read as the same")
        hold((try? FormBody(input, allowsRepeated: true)) == form, "a form with each parameter once is read alike")
        request(form)
    }

    /// Names as an authorization request reads them.
    private static func request(_ form: FormBody) {
        let parameters = AuthorizationParameters(form.fields)
        guard (try? parameters.check()) != nil else { return }
        let stored = AuthorizationParameters(parameters.json)
        hold(stored.json == parameters.json, "a stored request is the same")
        for name in form.names { hold(stored[name] == parameters[name], "a stored parameter is the same") }
        if let claims = form["claims"] { _ = try? RequestedClaims(parsing: claims) }
        if let typed = form["user_code"], let code = UserCode(typed) {
            hold(UserCode(code.text) == code, "a shown user code can be typed")
        }
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
