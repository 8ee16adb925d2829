import JSON

/// Guesses without an end. They use invented names, so they lock nobody out.
extension Attack {
    static let throttles = [
        Attack("3-D9", .throttles, "guesses at the password of one name") { target in
            let email = Target.unknownAddress()
            try await target.isThrottled { _ in email }
        },
        Attack("P-08", .throttles, "guesses at the password of one name in several spellings") { target in
            let email = Target.unknownAddress()
            try await target.isThrottled { $0.isMultiple(of: 2) ? email : email.uppercased() }
        },
        Attack("P-11", .throttles, "guesses at a mailed code") { target in
            let app = try target.app().id
            let begun = try await target.send(
                .json(
                    "/v1/sign-in",
                    [
                        "provider": "email_otp", "client_id": .string(app),
                        "credential": ["username": .string(Target.unknownAddress())],
                    ]))
            guard let flow = begun.json["flow"]?.string else {
                throw NotTried("the app sends no codes: \(begun.json["code"]?.string ?? "\(begun.status)")")
            }
            for guess in 0..<12 {
                let code = String("00000\(guess)".suffix(6))
                let answer = try await target.answer(
                    to: .json("/v1/sign-in/continue", ["flow": .string(flow), "response": ["code": .string(code)]]))
                if answer.json["code"]?.string != "code_wrong" { return }
            }
            throw Broken("twelve guesses at one code were compared")
        },
    ]
}

extension Target {
    private static let guesses = 30

    /// Guesses until the throttle refuses.
    fileprivate func isThrottled(_ name: (Int) -> String) async throws {
        let app = try app().id
        for guess in 0..<Self.guesses where try await answer(to: .wrongPassword(app, name(guess))).status == 429 {
            return
        }
        throw Broken("\(Self.guesses) wrong passwords for one name were compared")
    }
}
