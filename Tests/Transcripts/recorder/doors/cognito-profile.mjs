// The user's attributes and addresses, and the end of the account.
import { call, prepare, refusedTokens, signedIn } from "./cognito.mjs"

const email = Value => ({ UserAttributes: [{ Name: "email", Value }] })

export const profiles = {
    GetUser: {
        about: "The user's attributes and second factors.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            await call(run, "The attributes.", "GetUser", { AccessToken })
            await refusedTokens(run, "GetUser")
        }
    },

    UpdateUserAttributes: {
        about: "Changes attributes; a changed address counts once its code is verified.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            const record = (about, ...attributes) =>
                call(run, about, "UpdateUserAttributes", { AccessToken, UserAttributes: attributes })
            await record("Attributes.", { Name: "name", Value: "Ann Example" }, { Name: "custom:tier", Value: "gold" })
            await record("An address: its code is sent.", { Name: "email", Value: run.address("ann.new@example.com") })
            await record("A value of another type.", { Name: "custom:age", Value: "old" })
            await record("An unknown attribute.", { Name: "custom:shoe", Value: "41" })
            await record("An attribute that only the gateway writes.", { Name: "sub", Value: "me" })
            await record("The list is empty.")
            await refusedTokens(run, "UpdateUserAttributes", { UserAttributes: [{ Name: "name", Value: "Ann" }] })
        }
    },

    DeleteUserAttributes: {
        about: "Removes attributes.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            const record = (about, ...UserAttributeNames) =>
                call(run, about, "DeleteUserAttributes", { AccessToken, UserAttributeNames })
            const UserAttributes = [{ Name: "custom:tier", Value: "gold" }]
            await prepare(run, "UpdateUserAttributes", { AccessToken, UserAttributes })
            await record("An attribute.", "custom:tier")
            await record("An address.", "email")
            await record("An unknown attribute.", "custom:shoe")
            await record("The list is empty.")
            await refusedTokens(run, "DeleteUserAttributes", { UserAttributeNames: ["custom:tier"] })
        }
    },

    GetUserAttributeVerificationCode: {
        about: "Sends the code of an address that is not verified yet.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            const record = (about, AttributeName) =>
                call(run, about, "GetUserAttributeVerificationCode", { AccessToken, AttributeName })
            await record("Every address is verified.", "email")
            await record("Another attribute.", "name")
            await record("The attribute is missing.")
            await prepare(run, "UpdateUserAttributes", { AccessToken, ...email(run.address("ann.new@example.com")) })
            await record("A changed address a moment after its first code.", "email")
            await refusedTokens(run, "GetUserAttributeVerificationCode", { AttributeName: "email" })
        }
    },

    VerifyUserAttribute: {
        about: "Verifies an address by its code.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            const record = (about, Code, more) =>
                call(run, about, "VerifyUserAttribute", { AccessToken, AttributeName: "email", Code, ...more })
            await record("No code was sent.", "123456")
            const next = run.address("ann.new@example.com")
            await prepare(run, "UpdateUserAttributes", { AccessToken, ...email(next) })
            const code = await run.code(next)
            await record("A wrong code.", run.wrong(code))
            await record("The code is missing.")
            await record("Another attribute.", code, { AttributeName: "name" })
            await record("The right code.", code)
            await record("The code was used.", code)
            await call(run, "GetUser has the new address.", "GetUser", { AccessToken })
            await refusedTokens(run, "VerifyUserAttribute", { AttributeName: "email", Code: "123456" })
        }
    },

    DeleteUser: {
        about: "Begins the deletion of the account.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            await call(run, "The deletion begins.", "DeleteUser", { AccessToken })
            await call(run, "GetUser afterwards.", "GetUser", { AccessToken })
            await refusedTokens(run, "DeleteUser")
        }
    }
}
