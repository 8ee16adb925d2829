/** A value now or later. */
export type Awaitable<Value> = Value | Promise<Value>

/**
 * Where tokens are kept: texts by name.
 *
 * Implement it for another place, such as the encrypted storage of a desktop app.
 */
export interface TokenStore {
    /** The same for all tabs and workers that see the same texts; absent if no other page sees them. */
    readonly sharedAs?: string
    get(key: string): Awaitable<string | null>
    set(key: string, value: string): Awaitable<void>
    remove(key: string): Awaitable<void>
    /** Until `signal`: calls `changed` after a change of `key` by another page, once `get` returns the new text here. */
    watch?(key: string, changed: () => void, signal: AbortSignal): void
}

/** Keeps tokens until the page or process ends. */
export function memoryStore(): TokenStore {
    const texts = new Map<string, string>()
    return {
        get: key => texts.get(key) ?? null,
        set: (key, value) => void texts.set(key, value),
        remove: key => void texts.delete(key)
    }
}

/** Keeps tokens in `localStorage`: all tabs of the origin share one session, and so does every script of the origin. */
export function localStore(): TokenStore {
    return { sharedAs: "localStorage", ...webStore(() => localStorage), watch: watchLocalStorage }
}

function watchLocalStorage(key: string, changed: () => void, signal: AbortSignal): void {
    addEventListener("storage", event => {
        // A null key: the other page removed everything.
        if (event.storageArea === localStorage && (event.key === key || event.key === null)) changed()
    }, { signal })
}

/**
 * Keeps tokens in `sessionStorage`, for this tab alone.
 *
 * A duplicated tab begins with a copy of the tokens: when both have refreshed, the gateway ends the session.
 */
export function sessionStore(): TokenStore {
    return webStore(() => sessionStorage)
}

function webStore(storage: () => Storage): TokenStore {
    return {
        get: key => storage().getItem(key),
        set: (key, value) => storage().setItem(key, value),
        remove: key => storage().removeItem(key)
    }
}

/** `localStorage` in a browser, memory elsewhere. */
export function standardStore(): TokenStore {
    return hasLocalStorage() ? localStore() : memoryStore()
}

/** A browser that blocks cookies throws at the mere name. */
function hasLocalStorage(): boolean {
    try {
        return typeof window !== "undefined" && typeof localStorage !== "undefined"
    } catch {
        return false
    }
}
