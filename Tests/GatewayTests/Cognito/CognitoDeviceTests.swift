import Cryptography
import Foundation
import JSON
import TestSupport
import Testing

@Suite("Cognito's API: devices that are remembered at once", .gateway())
struct CognitoDeviceTests {
    private func api() async throws -> CognitoAPI {
        try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "always")
    }

    @Test("a device that was confirmed after two factors replaces the second one, with and without a session")
    func replacesFactor() async throws {
        let api = try await api()
        let user = try await CognitoProtectedUser(api)
        let device = try await user.confirmedDevice()
        for sends in [true, false] {
            let asked = try await user.passwordAuth(device)
            #expect(asked["ChallengeName"] == "DEVICE_SRP_AUTH", "\(asked.text)")
            let answer = try await device.prove(asked, api, sendsSession: sends)
            let tokens = try CognitoTokensAnswer(answer)
            #expect(try tokens.access["sub"] == .string(user.sub))
            #expect(answer["AuthenticationResult"]?["NewDeviceMetadata"] == nil)
        }
        let bySRP = try await api.srpAuth(
            user.email, flow: ["AuthFlow": "USER_SRP_AUTH", "AuthParameters": ["DEVICE_KEY": .string(device.key)]],
            device: device.key)
        #expect(bySRP["ChallengeName"] == "DEVICE_SRP_AUTH", "\(bySRP.text)")
        // Another device of the same user needs the factor.
        #expect(try await api.passwordAuth(user.email)["ChallengeName"] == "SOFTWARE_TOKEN_MFA")
    }

    @Test("a wrong secret, another user's device and a forgotten one open nothing")
    func refusals() async throws {
        let api = try await api()
        let user = try await CognitoProtectedUser(api)
        let device = try await user.confirmedDevice()
        var thief = device
        thief.secret = "another secret"
        let wrong = try await thief.prove(try await user.passwordAuth(device), api)
        #expect(wrong["error"] == "NotAuthorizedException", "\(wrong.text)")
        let other = try await CognitoProtectedUser(api)
        let foreign = try await other.passwordAuth(device)
        #expect(foreign["error"] == "ResourceNotFoundException")
        #expect(foreign["message"] == "Device does not exist.")
        // The key alone reveals nothing before the password.
        let unproved = try await api.passwordAuth(other.email, "a wrong password 7", device: device.key)
        #expect(unproved["error"] == "NotAuthorizedException")
        let access = JSON.string(
            try CognitoTokensAnswer(try await device.prove(try await user.passwordAuth(device), api)).accessToken)
        let forgotten = try await api.call("ForgetDevice", ["AccessToken": access, "DeviceKey": .string(device.key)])
        #expect(forgotten["error"] == nil, "\(forgotten.text)")
        #expect(try await user.passwordAuth(device)["message"] == "Device does not exist.")
        let gone = try await api.call("GetDevice", ["AccessToken": access, "DeviceKey": .string(device.key)])
        #expect(gone["error"] == "ResourceNotFoundException" && gone["message"] == "Device does not exist.")
    }

    @Test("a device that one factor confirmed replaces none, also after a second factor is set up")
    func oneFactor() async throws {
        let api = try await api()
        let email = Fresh.email()
        try await api.signUp(email)
        let answer = try await api.passwordAuth(email)
        let device = try CognitoDevice(answer)
        #expect(try await device.confirm(api)["UserConfirmationNecessary"] == false)
        let again = try await device.confirm(api)
        #expect(again["error"] == "DeviceKeyExistsException", "\(again.text)")
        let user = try await CognitoProtectedUser(api, email)
        #expect(try await user.passwordAuth(device)["ChallengeName"] == "SOFTWARE_TOKEN_MFA")
    }

    @Test("3-C6: a device from before the second factor gets a new key after both, which replaces the factor")
    func outgrown() async throws {
        let api = try await api()
        let email = Fresh.email()
        try await api.signUp(email)
        let old = try CognitoDevice(try await api.passwordAuth(email))
        _ = try await old.confirm(api)
        let user = try await CognitoProtectedUser(api, email)
        let device = try CognitoDevice(try await user.signIn(old))
        #expect(device.key != old.key)
        #expect(try await device.confirm(api)["error"] == nil)
        let asked = try await user.passwordAuth(device)
        #expect(asked["ChallengeName"] == "DEVICE_SRP_AUTH", "\(asked.text)")
        let answer = try await device.prove(asked, api)
        #expect(answer["AuthenticationResult"]?["NewDeviceMetadata"] == nil, "\(answer.text)")
    }

    @Test("a back end lists the devices of a user")
    func devices() async throws {
        let api = try await api()
        let backEnd = try await CognitoBackEnd(api, role: "viewer")
        let user = try await CognitoProtectedUser(api)
        let name: JSONObject = ["Username": .string(user.email)]
        #expect(try await backEnd.done("AdminListDevices", name)["Devices"] == [])
        let device = try await user.confirmedDevice()
        let listed = try await backEnd.done("AdminListDevices", name)["Devices"]?.array ?? []
        #expect(listed.map { $0["DeviceKey"]?.string } == [device.key])
        let shown = try await backEnd.done(
            "AdminGetDevice", ["Username": .string(user.email), "DeviceKey": .string(device.key)])
        #expect(shown["Device"]?["DeviceKey"]?.string == device.key)
        let other = try await CognitoProtectedUser(api)
        let foreign = try await backEnd.call(
            "AdminGetDevice", ["Username": .string(other.email), "DeviceKey": .string(device.key)])
        #expect(foreign["error"] == "ResourceNotFoundException", "\(foreign.text)")
    }

    @Test("a session confirms no device but its own, and no invalid secret")
    func confirmation() async throws {
        let api = try await api()
        let email = Fresh.email()
        try await api.signUp(email)
        var device = try CognitoDevice(try await api.passwordAuth(email))
        let own = device.key
        device.key = try CognitoDevice(try await api.passwordAuth(email)).key
        #expect(try await device.confirm(api)["message"] == "Device does not exist.")
        device.key = own
        for (salt, verifier) in [
            ("", "AA=="), ("AAEC", "AA=="), ("AAEC", ""), ("AAEC", "no base 64"), ("AAEC", SRPClient.tooLong),
        ] {
            let refused = try await device.confirm(api, salt: salt, verifier: verifier)
            #expect(refused["error"] == "InvalidParameterException", "\(salt) \(verifier): \(refused.text)")
        }
        #expect(try await device.confirm(api)["UserConfirmationNecessary"] == false)
    }
}

@Suite("Cognito's API: devices that the user chooses", .gateway())
struct CognitoChosenDeviceTests {
    @Test("a device replaces the factor once it is remembered; devices are listed by pages")
    func optIn() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "opt_in")
        let user = try await CognitoProtectedUser(api)
        let device = try CognitoDevice(try await user.signIn())
        #expect(try await device.confirm(api)["UserConfirmationNecessary"] == true)
        #expect(try await user.passwordAuth(device)["ChallengeName"] == "SOFTWARE_TOKEN_MFA")
        let access = JSON.string(device.accessToken)
        func status(_ value: JSON) async throws -> JSON {
            try await api.call(
                "UpdateDeviceStatus",
                ["AccessToken": access, "DeviceKey": .string(device.key), "DeviceRememberedStatus": value])
        }
        #expect(try await status("remembered") == [:])
        #expect(try await user.passwordAuth(device)["ChallengeName"] == "DEVICE_SRP_AUTH")
        let second = try CognitoDevice(try await user.signIn())
        _ = try await second.confirm(api)
        let first = try await api.call("ListDevices", ["AccessToken": access, "Limit": 1])
        #expect(first["Devices"]?.array?.map { $0["DeviceKey"] } == [.string(device.key)], "\(first.text)")
        let rest = try await api.call(
            "ListDevices", ["AccessToken": access, "PaginationToken": first["PaginationToken"] ?? .null])
        #expect(
            rest["Devices"]?.array?.map { $0["DeviceKey"] } == [.string(second.key)] && rest["PaginationToken"] == nil)
        let found = try await api.call("GetDevice", ["AccessToken": access, "DeviceKey": .string(device.key)])
        let attributes = found["Device"]?["DeviceAttributes"]?.array ?? []
        #expect(attributes.contains(["Name": "dev:device_remembered_status", "Value": "remembered"]), "\(found.text)")
        #expect(attributes.contains(["Name": "device_name", "Value": "Ann's phone"]))
        #expect(try await status("not_remembered") == [:])
        #expect(try await user.passwordAuth(device)["ChallengeName"] == "SOFTWARE_TOKEN_MFA")
        #expect(try await status("perhaps")["error"] == "InvalidParameterException")
    }
}

extension CognitoChosenDeviceTests {
    @Test("3-C6: a device that one factor remembered is trusted once two were proved, and not before")
    func trustedLater() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "opt_in")
        let email = Fresh.email()
        try await api.signUp(email)
        let device = try CognitoDevice(try await api.passwordAuth(email))
        _ = try await device.confirm(api)
        func remember(_ answer: JSON) async throws {
            let access = try CognitoTokensAnswer(answer).accessToken
            let done = try await api.call(
                "UpdateDeviceStatus",
                [
                    "AccessToken": .string(access), "DeviceKey": .string(device.key),
                    "DeviceRememberedStatus": "remembered",
                ])
            #expect(done["error"] == nil, "\(done.text)")
        }
        try await remember(try await api.passwordAuth(email))
        let before = try await api.passwordAuth(email)
        let user = try await CognitoProtectedUser(api, email)
        // A session of one factor, even with a second one set up by now, makes it no replacement.
        try await remember(before)
        #expect(try await user.passwordAuth(device)["ChallengeName"] == "SOFTWARE_TOKEN_MFA")
        try await remember(try await user.signIn(device))
        #expect(try await user.passwordAuth(device)["ChallengeName"] == "DEVICE_SRP_AUTH")
    }
}

@Suite("Cognito's API: an app without device tracking", .gateway())
struct CognitoUntrackedDeviceTests {
    @Test("an app without device tracking gives no key, and confirms none")
    func off() async throws {
        let api = try await CognitoAPI.enabled(on: try GatewayProcess.current, devices: "opt_in")
        let email = Fresh.email()
        try await api.signUp(email)
        let device = try CognitoDevice(try await api.passwordAuth(email))
        let without = try await CognitoAPI.enabled(on: try GatewayProcess.current)
        try await poll {
            try await without.passwordAuth(email)["AuthenticationResult"]?["NewDeviceMetadata"] == nil ? () : nil
        }
        #expect(try await device.confirm(without)["error"] == "InvalidUserPoolConfigurationException")
    }
}

extension SRPClient {
    /// 386 bytes, in Base64.
    fileprivate static var tooLong: String { Data(repeating: 1, count: 386).base64EncodedString() }
}
