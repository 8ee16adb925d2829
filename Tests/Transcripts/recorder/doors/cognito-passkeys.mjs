// Passkeys of a user.
import { Authenticator } from "./authenticator.mjs"
import { call, prepare, refusedTokens, signedIn } from "./cognito.mjs"

/** Learns the options, and resolves with a registration for them. */
function registration(run, { CredentialCreationOptions: options }, origin = run.servers.publicURL) {
    run.standIns.set(options.user.id, "user-handle-1")
    const authenticator = new Authenticator(origin)
    const credential = authenticator.register(options)
    run.learn(credential)
    run.standIns.set(authenticator.id, "credential-id-1")
    return credential
}

/** A user with a passkey; resolves with the access token and the passkey's id. */
async function withPasskey(run) {
    const { AccessToken } = await signedIn(run)
    const Credential = registration(run, await prepare(run, "StartWebAuthnRegistration", { AccessToken }))
    await prepare(run, "CompleteWebAuthnRegistration", { AccessToken, Credential })
    return { AccessToken, CredentialId: Credential.id }
}

export const passkeys = {
    StartWebAuthnRegistration: {
        about: "The creation options of a passkey.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            // The handle has its stand-in before the answer is recorded.
            registration(run, await prepare(run, "StartWebAuthnRegistration", { AccessToken }))
            await call(run, "The options.", "StartWebAuthnRegistration", { AccessToken })
            await refusedTokens(run, "StartWebAuthnRegistration")
        }
    },

    CompleteWebAuthnRegistration: {
        about: "Adds a passkey.",
        async record(run) {
            const { AccessToken } = await signedIn(run)
            const record = (about, Credential) => call(run, about, "CompleteWebAuthnRegistration", { AccessToken, Credential })
            const start = () => prepare(run, "StartWebAuthnRegistration", { AccessToken })
            const early = registration(run, {
                CredentialCreationOptions: { challenge: "AAAA", rp: { id: "localhost" }, user: { id: "AAAA" } }
            })
            await record("No registration was started.", early)
            await start()
            await record("The credential answers another challenge.", early)
            await record("The credential is missing.")
            await record("The credential is a text.", "text")
            const foreign = registration(run, await start(), "https://other.example")
            await record("The credential comes from another origin.", foreign)
            const made = registration(run, await start())
            await record("The right credential.", made)
            await record("The same again.", made)
            await refusedTokens(run, "CompleteWebAuthnRegistration", { Credential: {} })
        }
    },

    ListWebAuthnCredentials: {
        about: "The passkeys of the user.",
        async record(run) {
            const { AccessToken } = await withPasskey(run)
            await call(run, "One passkey.", "ListWebAuthnCredentials", { AccessToken, MaxResults: 20 })
            const other = await signedIn(run, "abe@example.com")
            await call(run, "None.", "ListWebAuthnCredentials", { AccessToken: other.AccessToken })
            await refusedTokens(run, "ListWebAuthnCredentials")
        }
    },

    DeleteWebAuthnCredential: {
        about: "Removes a passkey.",
        async record(run) {
            const { AccessToken, CredentialId } = await withPasskey(run)
            const record = (about, id) => call(run, about, "DeleteWebAuthnCredential", { AccessToken, CredentialId: id })
            await record("An unknown passkey.", "unknown")
            await record("The id is missing.")
            await record("The passkey.", CredentialId)
            await record("The same again.", CredentialId)
            await refusedTokens(run, "DeleteWebAuthnCredential", { CredentialId: "unknown" })
        }
    }
}
