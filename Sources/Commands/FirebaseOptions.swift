import ArgumentParser
import Cryptography
import Foundation

/// The password hash parameters of a Firebase project, for lines with a `firebase` member.
struct FirebaseOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A file with the project's base64_signer_key, a secret. It is not stored.",
            valueName: "path"))
    var firebaseSignerKeyFile: String?

    @Option(help: "The project's base64_salt_separator.")
    var firebaseSaltSeparator = "Bw=="

    @Option(help: "The project's rounds.")
    var firebaseRounds = 8

    @Option(help: "The project's mem_cost.")
    var firebaseMemoryCost = 14

    /// Nil without a signer key.
    func parameters() throws -> FirebaseParameters? {
        guard let path = firebaseSignerKeyFile else { return nil }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw ValidationError("\(path) can't be read.")
        }
        let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard
            let parameters = FirebaseParameters(
                signerKey: key, saltSeparator: firebaseSaltSeparator, rounds: firebaseRounds,
                memoryCost: firebaseMemoryCost)
        else { throw ValidationError("The signer key or the salt separator of the Firebase project is not base64.") }
        return parameters
    }
}
