// Users as a back end makes, reads and changes them.
import { password } from "../people.mjs"
import { call, passwordAuth, pool, prepare, request } from "./cognito.mjs"
import { ofApp, prepareSigned, refused, signedCall } from "./cognito-signed.mjs"

const temporary = "a first password of a back end 7"
const attributes = (...pairs) => ({ UserAttributes: pairs.map(([Name, Value]) => ({ Name, Value })) })

/** A change of a user's state. */
const change = (operation, about, repeated) => ({
    about,
    async record(run) {
        const Username = await run.person()
        await signedCall(run, "A user.", operation, { Username })
        await call(run, "The user's password.", "InitiateAuth", passwordAuth(Username, ofApp))
        await signedCall(run, repeated, operation, { Username })
        await refused(run, operation)
    }
})

export const administration = {
    AdminCreateUser: {
        about: "Makes a user with a temporary password.",
        async record(run) {
            const record = (about, body) => signedCall(run, about, "AdminCreateUser", body)
            const Username = run.address()
            const quiet = { MessageAction: "SUPPRESS", TemporaryPassword: temporary }
            const known = attributes(["email", Username], ["name", "Ann Example"], ["email_verified", "true"])
            await record("A user without a message.", { Username, ...known, ...quiet })
            await call(run, "The temporary password.", "InitiateAuth", passwordAuth(Username, ofApp, temporary))
            await record("The user exists.", { Username, ...quiet })
            await record("Another message with another password.", {
                Username, MessageAction: "RESEND", TemporaryPassword: "a second password of a back end 8"
            })
            const user = await run.person("amy@example.com")
            await record("Another message for a user with a password.", { Username: user, MessageAction: "RESEND" })
            const other = { Username: run.address("ada@example.com"), ...quiet }
            await record("A short password.", { ...other, TemporaryPassword: "short" })
            await record("An unknown attribute.", { ...other, ...attributes(["custom:shoe", "41"]) })
            await record("An unknown action.", { ...other, MessageAction: "SHOUT" })
            await record("The name is no address.", { ...other, Username: "ann" })
            await record("The name is missing.", quiet)
            await run.exchange("The signature is missing.", request("AdminCreateUser", { UserPoolId: pool, ...other }))
        }
    },

    AdminConfirmSignUp: {
        about: "Confirms a sign-up without its code.",
        async record(run) {
            const Username = run.address()
            await prepare(run, "SignUp", { ...ofApp, Username, Password: password })
            await call(run, "Before: the user's password.", "InitiateAuth", passwordAuth(Username, ofApp))
            await signedCall(run, "A sign-up.", "AdminConfirmSignUp", { Username })
            await signedCall(run, "The user.", "AdminGetUser", { Username })
            await signedCall(run, "The user is confirmed already.", "AdminConfirmSignUp", { Username })
            await refused(run, "AdminConfirmSignUp")
        }
    },

    AdminGetUser: {
        about: "One user.",
        async record(run) {
            const Username = await run.person()
            const { Username: sub } = await signedCall(run, "By address.", "AdminGetUser", { Username })
            await signedCall(run, "By id.", "AdminGetUser", { Username: sub })
            await refused(run, "AdminGetUser")
        }
    },

    ListUsers: {
        about: "The users that meet a condition, by pages.",
        async record(run) {
            const record = (about, body) => signedCall(run, about, "ListUsers", body)
            const email = await run.person()
            const Filter = `email = "${email}"`
            run.standIns.set(Filter, 'email = "ann@example.com"')
            await record("One address.", { Filter })
            await record("Some attributes.", { Filter, AttributesToGet: ["sub", "email"] })
            await record("No such address.", { Filter: 'email = "nobody@example.org"' })
            await record("An unknown attribute.", { Filter: 'shoe = "41"' })
            await record("A malformed condition.", { Filter: "email" })
            await record("A page that is too long.", { Limit: 61 })
            await record("A malformed page token.", { Filter, PaginationToken: "unknown" })
            await run.exchange("The signature is missing.", request("ListUsers", { UserPoolId: pool }))
        }
    },

    AdminUpdateUserAttributes: {
        about: "Changes attributes, but no address or number.",
        async record(run) {
            const record = (about, body) => signedCall(run, about, "AdminUpdateUserAttributes", body)
            const Username = await run.person()
            await record("A name.", { Username, ...attributes(["name", "Ann Example"]) })
            await record("An address.", { Username, ...attributes(["email", "other@example.com"]) })
            await record("An unknown attribute.", { Username, ...attributes(["custom:shoe", "41"]) })
            await signedCall(run, "The user.", "AdminGetUser", { Username })
            await refused(run, "AdminUpdateUserAttributes", attributes(["name", "Ann Example"]))
        }
    },

    AdminDeleteUserAttributes: {
        about: "Removes attributes.",
        async record(run) {
            const Username = await run.person()
            await prepareSigned(
                run, "AdminUpdateUserAttributes", { Username, ...attributes(["name", "Ann Example"]) })
            const names = { UserAttributeNames: ["name"] }
            await signedCall(run, "A name.", "AdminDeleteUserAttributes", { Username, ...names })
            await signedCall(run, "The user.", "AdminGetUser", { Username })
            await refused(run, "AdminDeleteUserAttributes", names)
        }
    },

    AdminDisableUser: change("AdminDisableUser", "Disables a user.", "The user is disabled already."),
    AdminEnableUser: change("AdminEnableUser", "Enables a user.", "The user is enabled already."),
    AdminDeleteUser: change("AdminDeleteUser", "Deletes a user, after a waiting time.", "The deletion waits already."),

    signature: {
        about: "The faults of a signature, the same for every administrator operation.",
        async record(run) {
            run.standIns.set(run.servers.accessKey.id, "access-key-1")
            const scope = "20260101/eu-central-1/cognito-idp/aws4_request"
            const signature = (id, names = "host;x-amz-date;x-amz-target") =>
                `AWS4-HMAC-SHA256 Credential=${id}/${scope}, SignedHeaders=${names}, Signature=${"0".repeat(64)}`
            const record = (about, authorization) => {
                const { headers, ...rest } = request("ListUsers", { UserPoolId: pool, Limit: 1 })
                const dated = { ...headers, "x-amz-date": "20260101T000000Z" }
                return run.exchange(about, { ...rest, headers: { ...dated, ...(authorization && { authorization }) } })
            }
            await record("No signature.")
            await record("Another scheme.", "Bearer unknown")
            await record("A malformed signature.", "AWS4-HMAC-SHA256 unknown")
            await record("A signature that leaves out the operation.", signature("nobody", "host;x-amz-date"))
            await record("An unknown key.", signature("nobody"))
            await record("An old signature.", signature(run.servers.accessKey.id))
        }
    }
}
