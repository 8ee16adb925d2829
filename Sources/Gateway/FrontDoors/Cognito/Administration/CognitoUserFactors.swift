import Accounts
import Admin
import JSON
import Sessions

/// Administrator operations about the second factors and the devices of a user.
struct CognitoUserFactors: Sendable {
    let users: CognitoUsers
    let factors: FactorService

    /// `AdminSetUserMFAPreference`: prefers a factor, or no longer.
    ///
    /// A key does not remove factors.
    func setPreference(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await users.user(request, backEnd, &call)
        let held = try await factors.factors(of: user.id).factors
        for kind in AccountFactors.Kind.allCases {
            guard let settings = request.body[kind.cognitoSettings]?.object else { continue }
            let factor = held.first { $0.kind == kind }
            guard let isPreferred = try Self.preference(kind, settings, factor), let factor else { continue }
            try await users.directory.prefer(
                factor.id, isPreferred: isPreferred, of: user.id, client: backEnd.client.id,
                because: try Reason("AdminSetUserMFAPreference"), by: backEnd.actor)
        }
        return [:]
    }

    /// The changed preference; nil where nothing changes.
    private static func preference(
        _ kind: AccountFactors.Kind, _ settings: JSONObject, _ factor: AccountFactors.Factor?
    ) throws(CognitoError) -> Bool? {
        guard settings["Enabled"]?.bool == true else {
            guard factor == nil else { throw .invalid("An operator removes \(kind.cognitoName) in the console.") }
            return nil
        }
        guard let factor else { throw .notSetUp(kind) }
        let isPreferred = settings["PreferredMfa"]?.bool ?? false
        return isPreferred == factor.isPreferred ? nil : isPreferred
    }

    /// `AdminGetDevice`.
    func getDevice(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await users.user(request, backEnd, &call)
        return try app(of: backEnd).device(request, among: try await factors.confirmedDevices(of: user.id))
    }

    /// `AdminListDevices`.
    func listDevices(
        _ request: CognitoRequest, _ backEnd: UserProvisioning.BackEnd, _ call: inout DoorCall
    ) async throws -> JSONObject {
        let user = try await users.user(request, backEnd, &call)
        return try app(of: backEnd).devices(request, among: try await factors.confirmedDevices(of: user.id))
    }

    private func app(of backEnd: UserProvisioning.BackEnd) throws(Rejection) -> CognitoApp {
        guard let app = backEnd.client.dialects.cognito else { throw .clientUnknown }
        return app
    }
}
