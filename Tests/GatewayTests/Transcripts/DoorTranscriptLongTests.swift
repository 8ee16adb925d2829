import Clients
import Foundation
import JSON
import TestSupport
import Testing

/// The transcripts of the doors for Cognito's clients and for native authentication.
///
/// `TRANSCRIPTS=record` in the environment writes them instead.
@Suite(
    "The transcripts of the doors",
    .gateway([
        "CLIENT_ATTRIBUTES": "given_name,tier:both,age:number:both", "CLIENT_REDIRECT_URIS": "org.example.app:/back",
        "CLIENT_PROVIDERS": "apple,amazon,password,email_otp,sms_otp,passkey", "SMS_SENDER": "file",
    ]))
struct DoorTranscriptLongTests {
    @Test("are what the gateway answers")
    func transcripts() async throws {
        let gateway = try GatewayProcess.current
        let secret = try await Self.makeApps(gateway.deployment)
        let issuer = try await poll { try await Self.issuer(gateway) }
        let isRecording = ProcessInfo.processInfo.environment["TRANSCRIPTS"] == "record"
        try await TypeScript.run(
            [
                "node", Configurations.root.appending(path: "Tests/Transcripts/record-doors.mjs").path,
                "--gateway", "http://127.0.0.1:\(gateway.port)",
                "--simulator", "http://127.0.0.1:\(gateway.simulator.port)",
                "--mail", "\(gateway.deployment.folder)/mail", "--public-url", issuer, "--secret", secret,
                "--access-key", try await Self.accessKey(gateway),
            ] + (isRecording ? [] : ["--check"]))
    }

    /// The access key of the app `tracking`, once the gateway knows it: id and secret.
    private static func accessKey(_ gateway: GatewayProcess) async throws -> String {
        let api = CognitoAPI(gateway: gateway, clientID: "8example")
        let backEnd = try await CognitoBackEnd(api, of: "tracking")
        return "\(backEnd.keyID):\(backEnd.secret)"
    }

    /// Makes the apps of `Tests/Transcripts/README.md`.
    ///
    /// - Returns: the secret of the confidential one.
    private static func makeApps(_ deployment: Deployment) async throws -> String {
        _ = try await create(deployment, "demanding", number: 2, "--second-factor", "required")
        _ = try await create(deployment, "revealing", number: 3, revealing: true)
        let secret = try await create(deployment, "server", number: 4, "--confidential")
        _ = try await create(deployment, "tracking", number: 5, devices: .always)
        let changed = try await deployment.run(
            "clients", "change", "app", "--dialects", dialects(1).text, "--refresh-rotation", "relaxed")
        try #require(changed.exitCode == 0, "\(changed.errors)")
        return secret
    }

    private static func create(
        _ deployment: Deployment, _ name: String, number: Int, revealing: Bool = false,
        devices: CognitoApp.DeviceTracking = .never, _ more: String...
    ) async throws -> String {
        let settings = dialects(number, revealing: revealing, devices: devices)
        let words = ["clients", "create", name, "--json", "--dialects", settings.text]
        let methods = ["--provider", "password", "--provider", "email_otp", "--provider", "passkey"]
        let made = try await deployment.run(words + methods + more)
        try #require(made.exitCode == 0, "\(made.errors)")
        return try JSON(parsing: made.output)["secret"]?.string ?? ""
    }

    /// The ids of an app; the first one is `4example`.
    private static func dialects(
        _ number: Int, revealing: Bool = false, devices: CognitoApp.DeviceTracking = .never
    ) -> JSON {
        let cognito: JSON = [
            "pool_id": .string(CognitoAPI.pool), "client_id": .string("\(3 + number)example"),
            "reveals_users": .bool(revealing), "remembers_devices": .string(devices.rawValue),
            // It has an effect for the app with a secret alone.
            "exchange_audiences": "orders",
        ]
        let native: JSON = [
            "tenant_id": .string(NativeAuthAPI.tenantID), "tenant_name": .string(NativeAuthAPI.tenantName),
            "application_id": .string(NativeAuthAPI.application.dropLast() + "\(number)"),
            "reveals_users": .bool(revealing),
        ]
        return .object(["cognito": cognito, "native_auth": native])
    }

    /// The public address, once the gateway knows every app and has both keys for their tokens.
    private static func issuer(_ gateway: GatewayProcess) async throws -> String? {
        let keys = try await gateway.get("/\(CognitoAPI.pool)/.well-known/jwks.json").json["keys"]?.array ?? []
        let api = CognitoAPI(gateway: gateway, clientID: "4example")
        let offer: JSON = [
            "AuthFlow": "USER_AUTH", "ClientId": .string(api.clientID),
            "AuthParameters": ["USERNAME": "ann@example.com"],
        ]
        guard keys.count > 1, try await api.raw("InitiateAuth", offer).status == 200 else { return nil }
        let metadata = try await gateway.get("/\(CognitoAPI.pool)/.well-known/openid-configuration").json
        return metadata["issuer"]?.string?.replacing("/\(CognitoAPI.pool)", with: "")
    }
}
