import { base64url, bytesOf } from "./encoding.js"
import type { JSONValue } from "./wire.js"

/** A browser's answer as JSON (WebAuthn Level 3 section 5.1). */
export type PasskeyCredential = { [member: string]: JSONValue }
type Options = { readonly [member: string]: JSONValue }
type Descriptor = { id: string; type: "public-key" }

/** Whether this browser can use passkeys. */
export function canUsePasskeys(): boolean {
    return typeof PublicKeyCredential !== "undefined"
}

/** Whether this browser can suggest passkeys while the user fills in a field. */
export async function canSuggestPasskeys(): Promise<boolean> {
    if (!canUsePasskeys()) return false
    const kind = PublicKeyCredential as { isConditionalMediationAvailable?: () => Promise<boolean> }
    return await kind.isConditionalMediationAvailable?.() ?? false
}

/**
 * Lets the user sign in with a passkey: the options are those of a step.
 *
 * @param suggested waits until the user chooses a passkey in a field with `autocomplete="username webauthn"`
 */
export async function usePasskey(
    options: Options, { suggested = false, signal }: { suggested?: boolean; signal?: AbortSignal } = {}
): Promise<PasskeyCredential> {
    const request = {
        publicKey: readOptions(options), ...(signal && { signal }), ...(suggested && { mediation: "conditional" })
    }
    return written(await navigator.credentials.get(request as unknown as CredentialRequestOptions))
}

/** Lets the user create a passkey: the options are those of a step. */
export async function createPasskey(options: Options, signal?: AbortSignal): Promise<PasskeyCredential> {
    const request = { publicKey: readOptions(options), ...(signal && { signal }) }
    return written(await navigator.credentials.create(request as unknown as CredentialCreationOptions))
}

/** The options with bytes in place of base64url. */
function readOptions(options: Options): Record<string, unknown> {
    const result: Record<string, unknown> = { ...options, challenge: bytesOf(String(options["challenge"])) }
    const user = options["user"] as { id: string } | undefined
    if (user !== undefined) result["user"] = { ...user, id: bytesOf(user.id) }
    for (const name of ["allowCredentials", "excludeCredentials"]) {
        const list = options[name] as Descriptor[] | undefined
        if (list !== undefined) result[name] = list.map(one => ({ ...one, id: bytesOf(one.id) }))
    }
    return result
}

function written(credential: Credential | null): PasskeyCredential {
    if (!(credential instanceof PublicKeyCredential)) throw new DOMException("There is no passkey.", "NotAllowedError")
    const { authenticatorAttachment } = credential as { authenticatorAttachment?: string | null }
    return {
        id: credential.id, rawId: base64url(credential.rawId), type: credential.type,
        response: writtenResponse(credential.response),
        ...(authenticatorAttachment && { authenticatorAttachment }),
        clientExtensionResults: { ...credential.getClientExtensionResults() } as { [member: string]: JSONValue }
    }
}

function writtenResponse(response: AuthenticatorResponse): { [member: string]: JSONValue } {
    const result: { [member: string]: JSONValue } = {}
    for (const name of ["clientDataJSON", "authenticatorData", "signature", "userHandle", "attestationObject"]) {
        const value: unknown = (response as unknown as Record<string, unknown>)[name]
        if (value instanceof ArrayBuffer) result[name] = base64url(value)
    }
    const { getTransports } = response as { getTransports?: () => string[] }
    if (getTransports !== undefined) result["transports"] = getTransports.call(response)
    return result
}
