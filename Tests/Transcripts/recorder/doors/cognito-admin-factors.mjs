// Second factors and devices of a user, for a back end.
import { confirmed, unknown } from "./cognito-devices.mjs"
import { protect } from "./cognito-factors.mjs"
import { signedIn } from "./cognito.mjs"
import { refused, signedCall } from "./cognito-signed.mjs"

export const administeredFactors = {
    AdminSetUserMFAPreference: {
        about: "Prefers a second factor, or no longer.",
        async record(run) {
            const { email: Username, AccessToken } = await signedIn(run)
            const record = (about, SoftwareTokenMfaSettings) =>
                signedCall(run, about, "AdminSetUserMFAPreference", { Username, SoftwareTokenMfaSettings })
            await record("The user has no authenticator app.", { Enabled: true, PreferredMfa: true })
            await protect(run, AccessToken)
            await record("The app is preferred.", { Enabled: true, PreferredMfa: true })
            await signedCall(run, "The user.", "AdminGetUser", { Username })
            await record("A key does not remove the app.", { Enabled: false })
            await refused(run, "AdminSetUserMFAPreference")
        }
    },

    AdminGetDevice: {
        about: "One device of a user.",
        async record(run) {
            const { email: Username, DeviceKey } = await confirmed(run)
            const record = (about, body) => signedCall(run, about, "AdminGetDevice", { Username, ...body })
            await record("A confirmed device.", { DeviceKey })
            await record("An unknown device.", { DeviceKey: unknown })
            await record("The key is missing.", {})
            await refused(run, "AdminGetDevice", { DeviceKey: unknown })
        }
    },

    AdminListDevices: {
        about: "The devices of a user, by pages.",
        async record(run) {
            const { email: Username } = await confirmed(run)
            const record = (about, body) => signedCall(run, about, "AdminListDevices", { Username, ...body })
            await record("Every device.", {})
            await record("A page that is too long.", { Limit: 61 })
            await refused(run, "AdminListDevices")
        }
    }
}
