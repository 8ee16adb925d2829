import type { Awaitable } from "./token-store.js"

/**
 * Where the key of the proofs is kept (RFC 9449): key pairs by name.
 *
 * Implement it for another place, such as a program on Node that keeps its session after a restart.
 */
export interface ProofKeyStore {
    get(name: string): Awaitable<CryptoKeyPair | undefined>
    /** Keeps the pair, unless another tab has kept one; comes to the pair that is kept. */
    add(name: string, pair: CryptoKeyPair): Awaitable<CryptoKeyPair>
}

/** IndexedDB in a browser, so that a reload can go on with the key; memory elsewhere. */
export function standardKeys(): ProofKeyStore {
    return hasIndexedDB() ? indexedKeys() : memoryKeys()
}

function memoryKeys(): ProofKeyStore {
    const pairs = new Map<string, CryptoKeyPair>()
    return {
        get: name => pairs.get(name),
        add: (name, pair) => {
            const kept = pairs.get(name) ?? pair
            pairs.set(name, kept)
            return kept
        }
    }
}

/** IndexedDB takes a key that no script can read; `localStorage` would need its bytes. */
function indexedKeys(): ProofKeyStore {
    return {
        get: async name => await inKeys("readonly", keys => keys.get(name)),
        add: async (name, pair) => await inKeys("readwrite", keys => {
            const found: IDBRequest<CryptoKeyPair | undefined> = keys.get(name)
            // In the same transaction, so that two tabs can't keep two keys.
            found.onsuccess = () => { if (found.result === undefined) keys.put(pair, name) }
            return found
        }) ?? pair
    }
}

/** The result of a request, once its transaction is on the disk. */
async function inKeys(
    mode: IDBTransactionMode, work: (keys: IDBObjectStore) => IDBRequest<CryptoKeyPair | undefined>
): Promise<CryptoKeyPair | undefined> {
    const database = await openedDatabase()
    try {
        return await new Promise((resolve, reject) => {
            const transaction = database.transaction("keys", mode)
            const request = work(transaction.objectStore("keys"))
            transaction.oncomplete = () => resolve(request.result)
            transaction.onabort = () => reject(transaction.error)
        })
    } finally {
        database.close()
    }
}

function openedDatabase(): Promise<IDBDatabase> {
    const request = indexedDB.open("login-gateway", 1)
    return new Promise((resolve, reject) => {
        request.onupgradeneeded = () => void request.result.createObjectStore("keys")
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error)
    })
}

/** A browser that blocks cookies throws at the mere name. */
function hasIndexedDB(): boolean {
    try {
        return typeof indexedDB !== "undefined"
    } catch {
        return false
    }
}
