/** Base64url without padding (RFC 4648 section 5). */
export function base64url(bytes: ArrayBuffer | Uint8Array): string {
    const text = String.fromCharCode(...new Uint8Array(bytes))
    return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "")
}

/** The bytes of a base64url text. */
export function bytesOf(text: string): Uint8Array {
    return Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), letter => letter.charCodeAt(0))
}

/** 256 random bits as 43 characters. */
export function randomText(): string {
    return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

/** The SHA-256 of a text in UTF-8. */
export async function sha256(text: string): Promise<Uint8Array> {
    return new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)))
}

/** The S256 code challenge of a verifier (RFC 7636 section 4.2). */
export async function codeChallenge(verifier: string): Promise<string> {
    return base64url(await sha256(verifier))
}

/** The form of a nonce that Apple gets: SHA-256 in lower-case hex. Post the raw nonce to the gateway. */
export async function appleNonce(nonce: string): Promise<string> {
    return [...await sha256(nonce)].map(byte => byte.toString(16).padStart(2, "0")).join("")
}
