/** Milliseconds for which a tab keeps the lock after its work: another process sees what it has stored a moment later. */
const settling = 250

/** Runs `work` while no other tab of the origin and no other part of this page runs work under the same name. */
export async function exclusively<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const locks = typeof navigator === "undefined" ? undefined : (navigator as Partial<Navigator>).locks
    if (locks === undefined) return await inTurn(name, work)
    return await new Promise<Value>((resolve, reject) => {
        const held = async (): Promise<void> => {
            const result = work()
            result.then(resolve, reject)
            await result.catch(() => undefined)
            await new Promise(done => setTimeout(done, settling))
        }
        locks.request(name, held).catch(reject)
    })
}

/** Runs `work` after all that other pages run alone under the same name, together with other readers. */
export async function afterOthers<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const locks = typeof navigator === "undefined" ? undefined : (navigator as Partial<Navigator>).locks
    if (locks === undefined) return await inTurn(name, work)
    return await locks.request(name, { mode: "shared" }, work)
}

const turns = new Map<string, Promise<unknown>>()

/** For places without Web Locks, which have no tabs either. */
async function inTurn<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    const before = turns.get(name) ?? Promise.resolve()
    const mine = before.then(work, work)
    turns.set(name, mine)
    try {
        return await mine
    } finally {
        if (turns.get(name) === mine) turns.delete(name)
    }
}

/** What tabs tell each other. Never a token: the store has them. */
export type Notice = { kind: "changed" } | { kind: "ended"; session: string; reason: string }

/** Notices between the tabs of an origin. */
export class Notices {
    readonly #channel: BroadcastChannel | undefined

    constructor(name: string | undefined, receive: (notice: Notice) => void) {
        if (name === undefined || typeof BroadcastChannel === "undefined") return
        this.#channel = new BroadcastChannel(name)
        this.#channel.onmessage = event => receive(event.data as Notice)
        // In Node an open channel keeps the process running.
        const channel: { unref?: () => void } = this.#channel as object
        channel.unref?.()
    }

    send(notice: Notice): void {
        this.#channel?.postMessage(notice)
    }

    close(): void {
        this.#channel?.close()
    }
}
