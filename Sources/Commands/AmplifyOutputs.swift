import Clients
import Foundation
import JSON

/// A file `amplify_outputs.json`, version 1 or 1.x.
struct AmplifyOutputs {
    let configuration: AmplifyConfiguration
    /// The members that the gateway has no counterpart for.
    let omitted: [String]

    private static let known = ["version", "auth"]
    /// Amplify reads the settings of passwords, names and factors for its own user interface alone.
    private static let unserved = ["identity_pool_id", "unauthenticated_identities_enabled", "groups"]
    /// The file describes the whole back end, data model included.
    private static let limits = JSONLimits(bytes: 16 << 20, depth: 64, members: 500_000)

    /// Reads a file.
    ///
    /// - Throws: ``Failure`` that names the file and the member.
    init(path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw Failure("\(path) can't be read: does it exist?")
        }
        do throws(Failure) {
            try self.init(text: String(decoding: data, as: UTF8.self))
        } catch {
            throw Failure("\(path): \(error.description)")
        }
    }

    /// - Throws: ``Failure`` that names the member.
    init(text: String) throws(Failure) {
        guard let file = (try? JSON(parsing: text, limits: Self.limits))?.object else {
            throw Failure("This is no valid JSON object.")
        }
        // Later versions 1.x add members.
        guard file["version"]?.string?.split(separator: ".").first == "1" else {
            throw Failure("version is not \"1\" or \"1.x\". Create the file again with: npx ampx generate outputs")
        }
        guard let auth = file["auth"]?.object else { throw Failure("auth is missing.") }
        configuration = AmplifyConfiguration(
            app: try Self.app(auth), hostedSignIn: try auth["oauth"].map(Self.hostedSignIn))
        omitted =
            file.members.map(\.name).filter { !Self.known.contains($0) }
            + Self.unserved.filter { auth[$0] != nil }.map { "auth.\($0)" }
    }

    private static func app(_ auth: JSONObject) throws(Failure) -> CognitoApp {
        let members: JSONObject = [
            "pool_id": auth["user_pool_id"] ?? .null, "client_id": auth["user_pool_client_id"] ?? .null,
        ]
        let app: CognitoApp?
        do throws(MemberFault) {
            var dialects: JSONObject = [:]
            dialects[TokenDialect.cognito.rawValue] = .object(members)
            app = try ClientDialects(parsing: dialects).cognito
        } catch {
            let name = error.pointer.hasSuffix("pool_id") ? "user_pool_id" : "user_pool_client_id"
            throw Failure("auth.\(name) is missing or not valid.")
        }
        guard let app, auth["aws_region"]?.string == app.region else {
            throw Failure("auth.aws_region is not the region of auth.user_pool_id.")
        }
        return app
    }

    private static func hostedSignIn(_ oauth: JSON) throws(Failure) -> AmplifyConfiguration.HostedSignIn {
        guard let signIn = oauth["redirect_sign_in_uri"]?.array?.compactMap(\.string), !signIn.isEmpty,
            let signOut = oauth["redirect_sign_out_uri"]?.array?.compactMap(\.string), !signOut.isEmpty,
            let scopes = oauth["scopes"]?.array?.map(\.string), !scopes.contains(nil)
        else { throw Failure("auth.oauth needs redirect_sign_in_uri, redirect_sign_out_uri and scopes.") }
        guard oauth["response_type"]?.string ?? "code" == "code" else {
            throw Failure("auth.oauth.response_type is not \"code\", the only one that the gateway has.")
        }
        return AmplifyConfiguration.HostedSignIn(
            signInURIs: signIn, signOutURIs: signOut, scopes: scopes.compactMap(\.self))
    }
}
