import Accounts
import Clients
import HTTPServer
import JSON
import OperatorAccess
import SignIn
import Vocabulary

/// Administrator operations about the second factors and the devices of a user.
struct CognitoAdminFactors: Sendable {
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
        for (factor, isPreferred) in try Self.preferences(CognitoMFAChange.all(in: request, held)) {
            try await users.directory.prefer(
                factor.id, isPreferred: isPreferred, of: user.id, client: backEnd.client.id,
                because: try Reason("AdminSetUserMFAPreference"), by: backEnd.actor)
        }
        return [:]
    }

    /// The changed preferences.
    private static func preferences(
        _ changes: [CognitoMFAChange]
    ) throws(CognitoError) -> [(AccountFactors.Factor, Bool)] {
        var preferences: [(AccountFactors.Factor, Bool)] = []
        for change in changes {
            switch change {
            case .prefer(let factor, let isPreferred): preferences.append((factor, isPreferred))
            case .remove(let factor): throw .invalid("An operator removes \(factor.kind.cognitoName) in the console.")
            }
        }
        return preferences
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
        guard let app = backEnd.client.dialects.cognito else { throw .clientUnknown() }
        return app
    }
}
