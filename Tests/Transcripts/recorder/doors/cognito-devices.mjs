// Devices with a secret of their own.
import { nextCode, protect } from "./cognito-factors.mjs"
import { apps, call, passwordAuth, prepare, refusedTokens, respond, tokens } from "./cognito.mjs"
import { SRPClient, deviceVerifier } from "./srp.mjs"

const ofApp = { ClientId: apps.tracking }

/** A new device of a user, with the access token of its sign-in. */
async function device(run, email) {
    const { AccessToken, NewDeviceMetadata } = await tokens(run, email, ofApp)
    return { AccessToken, ...NewDeviceMetadata, secret: "a secret of the device" }
}

function confirmation(run, { AccessToken, DeviceKey, ...device }) {
    const DeviceSecretVerifierConfig = deviceVerifier({ DeviceKey, ...device })
    run.learn(DeviceSecretVerifierConfig)
    return { AccessToken, DeviceKey, DeviceName: "Phone", DeviceSecretVerifierConfig }
}

export async function confirmed(run, standIn) {
    const email = await run.person(standIn)
    const made = await device(run, email)
    await prepare(run, "ConfirmDevice", confirmation(run, made))
    return { email, ...made }
}

export const unknown = "eu-central-1_00000000-0000-4000-8000-000000000000"

/** An operation about one device. */
const operation = (name, about, more = {}) => ({
    about,
    async record(run) {
        const { AccessToken, DeviceKey } = await confirmed(run)
        await call(run, "A confirmed device.", name, { AccessToken, DeviceKey, ...more })
        await call(run, "An unknown device.", name, { AccessToken, DeviceKey: unknown, ...more })
        await call(run, "The key is missing.", name, { AccessToken, ...more })
        await refusedTokens(run, name, { DeviceKey: unknown, ...more })
    }
})

export const devices = {
    ConfirmDevice: {
        about: "Confirms the device of a sign-in by the verifier of its secret.",
        async record(run) {
            const record = (about, body) => call(run, about, "ConfirmDevice", body)
            const email = await run.person()
            await call(run, "A sign-in on a new device.", "InitiateAuth", passwordAuth(email, ofApp))
            const own = await device(run, email)
            const body = confirmation(run, own)
            await record("The key of another device.", { ...body, DeviceKey: unknown })
            await record("The verifier is missing.", { ...body, DeviceSecretVerifierConfig: undefined })
            await record("The verifier is no number of the group.", {
                ...body, DeviceSecretVerifierConfig: { ...body.DeviceSecretVerifierConfig, PasswordVerifier: "AA==" }
            })
            await record("The device of the session.", body)
            await record("The device again.", body)
            await refusedTokens(run, "ConfirmDevice", { DeviceKey: unknown })
        }
    },

    GetDevice: operation("GetDevice", "One device of the user."),
    ForgetDevice: operation("ForgetDevice", "Forgets a device."),
    UpdateDeviceStatus: operation(
        "UpdateDeviceStatus", "Remembers a device, or no longer.", { DeviceRememberedStatus: "not_remembered" }),

    ListDevices: {
        about: "The devices of the user, by pages.",
        async record(run) {
            const record = (about, body) => call(run, about, "ListDevices", body)
            const { AccessToken } = await confirmed(run)
            await record("Every device.", { AccessToken })
            await record("A page that is too long.", { AccessToken, Limit: 61 })
            await refusedTokens(run, "ListDevices")
        }
    },

    "RespondToAuthChallenge-device": {
        about: "A remembered device in place of the second factor.",
        async record(run) {
            const record = (about, body) => call(run, about, "RespondToAuthChallenge", body)
            const email = await run.person()
            const { AccessToken } = await tokens(run, email, ofApp)
            const secret = await protect(run, AccessToken)
            const asked = await prepare(run, "InitiateAuth", passwordAuth(email, ofApp))
            const answer = { USERNAME: email, SOFTWARE_TOKEN_MFA_CODE: nextCode(run, secret) }
            const session = await prepare(
                run, "RespondToAuthChallenge", respond("SOFTWARE_TOKEN_MFA", asked.Session, answer, ofApp))
            const { AccessToken: access, NewDeviceMetadata } = session.AuthenticationResult
            const own = { AccessToken: access, ...NewDeviceMetadata, secret: "a secret of the device" }
            await prepare(run, "ConfirmDevice", confirmation(run, own))
            await call(run, "An unknown device.", "InitiateAuth", withDevice(email, unknown))
            const { Session } = await call(run, "The password.", "InitiateAuth", withDevice(email, own.DeviceKey))
            const client = new SRPClient()
            run.learn({ SRP_A: client.publicValue })
            const first = { USERNAME: email, DEVICE_KEY: own.DeviceKey, SRP_A: client.publicValue }
            const challenge = await record(
                "The first value of the device.", respond("DEVICE_SRP_AUTH", Session, first, ofApp))
            const responses = client.deviceResponses(own, challenge.ChallengeParameters)
            run.learn(responses)
            const proof = { USERNAME: email, ...responses }
            await record(
                "A wrong proof.", respond(
                    "DEVICE_PASSWORD_VERIFIER", challenge.Session, { ...proof, PASSWORD_CLAIM_SIGNATURE: "AA==" }, ofApp))
            await record(
                "The proof of the secret.", respond("DEVICE_PASSWORD_VERIFIER", challenge.Session, proof, ofApp))
        }
    }
}

function withDevice(email, DEVICE_KEY) {
    const { AuthParameters, ...request } = passwordAuth(email, ofApp)
    return { ...request, AuthParameters: { ...AuthParameters, DEVICE_KEY } }
}
