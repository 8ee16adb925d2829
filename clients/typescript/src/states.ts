import type { EndReason } from "./errors.js"
import type { Session } from "./session.js"

/** Whether a user is signed in; after an end that the user did not ask for, why. */
export type SessionState =
    | { readonly status: "signedIn"; readonly session: Session }
    | { readonly status: "signedOut" }
    | { readonly status: "ended"; readonly reason: EndReason }

/** The event `state` of a client. */
export class StateEvent extends Event {
    readonly state: SessionState

    constructor(state: SessionState) {
        super("state")
        this.state = state
    }
}

/** The states of a client, one after the other, for `for await`. A slow reader misses none. */
export async function* statesOf(
    target: EventTarget, first: () => Promise<SessionState>
): AsyncGenerator<SessionState, void> {
    const waiting: SessionState[] = []
    let wake = (): void => undefined
    const receive = (event: Event): void => {
        waiting.push((event as StateEvent).state)
        wake()
    }
    target.addEventListener("state", receive)
    try {
        const state = await first()
        if (waiting[0] !== state) yield state
        for (;;) {
            const next = waiting.shift()
            if (next !== undefined) yield next
            else await new Promise<void>(resolve => { wake = resolve })
        }
    } finally {
        target.removeEventListener("state", receive)
    }
}
