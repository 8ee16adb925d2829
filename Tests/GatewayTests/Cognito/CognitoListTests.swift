import JSON
import Testing

@Suite("Cognito's API: the list of users", .gateway(["CLIENT_ATTRIBUTES": "given_name,tier"]))
struct CognitoListTests {
    @Test("pages hold every user once, newest first")
    func pages() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api, role: "viewer")
        var subs: [String] = []
        for _ in 1...5 { subs.append(try await api.signUp(Fresh.email())) }
        var found: [String] = []
        var token: JSON?
        repeat {
            var parameters: JSONObject = ["Limit": 2]
            parameters["PaginationToken"] = token
            let page = try await backEnd.done("ListUsers", parameters)
            let users = try #require(page["Users"]?.array)
            #expect(users.count <= 2)
            found += users.compactMap { $0["Username"]?.string }
            token = page["PaginationToken"]
        } while token != nil
        #expect(Set(found).count == found.count)
        #expect(found.filter(subs.contains) == subs.reversed())
        #expect(try await backEnd.call("ListUsers", ["PaginationToken": "x"])["error"] == "InvalidParameterException")
    }

    @Test("a filter finds users by each searchable attribute, whole or by its beginning")
    func filters() async throws {
        let api = try await CognitoAPI.current
        let backEnd = try await CognitoBackEnd(api)
        let (mark, email) = (Fresh.text(), Fresh.email())
        try await backEnd.done(
            "AdminCreateUser",
            [
                "Username": .string(email), "MessageAction": "SUPPRESS",
                "UserAttributes": [
                    ["Name": "name", "Value": .string("Ann \"\(mark)\" Example")],
                    ["Name": "given_name", "Value": .string("Ann-\(mark)")],
                ],
            ])
        let sub = try #require(try await backEnd.user(email)["Username"]?.string)
        func found(_ filter: String) async throws -> [String] {
            let answer = try await backEnd.done("ListUsers", ["Filter": .string(filter)])
            return answer["Users"]?.array?.compactMap { $0["Username"]?.string } ?? []
        }
        for filter in [
            "sub = \"\(sub)\"", "sub ^= \"\(sub.prefix(30))\"", "username = \"\(sub)\"", "email = \"\(email)\"",
            "email ^= \"\(email.prefix(12))\"", "email=\"\(email.uppercased())\"",
            #"name = "Ann \"\#(mark)\" Example""#, #"name ^= "Ann \"\#(mark)""#,
            "given_name = \"Ann-\(mark)\"", "\"given_name\"^=\"Ann-\(mark.prefix(6))\"",
        ] {
            #expect(try await found(filter) == [sub], "\(filter)")
        }
        #expect(try await found("email = \"\(email.dropLast())\"") == [])
        #expect(try await found("cognito:user_status = \"FORCE_CHANGE_PASSWORD\"").contains(sub))
        #expect(try await !found("cognito:user_status = \"CONFIRMED\"").contains(sub))
        #expect(try await found("status = \"Enabled\"").contains(sub))
        #expect(try await !found("status = \"Disabled\"").contains(sub))
        for filter in ["email", "email = x", "custom:tier = \"gold\"", "email = \"a\" or 1"] {
            let refused = try await backEnd.call("ListUsers", ["Filter": .string(filter)])
            #expect(refused["error"] == "InvalidParameterException", "\(filter): \(refused.text)")
        }
        let some = try await backEnd.done(
            "ListUsers", ["Filter": .string("sub = \"\(sub)\""), "AttributesToGet": ["given_name"]])
        #expect(
            some["Users"]?.array?.first?["Attributes"] == [["Name": "given_name", "Value": .string("Ann-\(mark)")]])
    }
}
