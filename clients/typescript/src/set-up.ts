import type { PasskeyCredential } from "./passkeys.js"
import type { Session } from "./session.js"
import type * as Wire from "./wire.js"

/** A factor that is being set up: show `step`, then confirm with its code or its passkey. */
export class FactorSetUp {
    readonly step: Wire.NextStep["next_step"]
    readonly #flow: string
    readonly #session: Session

    constructor(answer: Wire.NextStep, session: Session) {
        this.step = answer.next_step
        this.#flow = answer.flow
        this.#session = session
    }

    /** Adds the factor. The first one of an account comes with recovery codes: let the user save them. */
    async confirm(
        response: { code: string; name?: string } | { credential: PasskeyCredential; name?: string }
    ): Promise<Wire.FactorAdded> {
        const answer = await this.#session.call("confirmFactor", { body: { flow: this.#flow, response } })
        await this.#session.replace(answer.session)
        return answer
    }

    /** Sends another code to the mailbox or number. */
    async resend(): Promise<void> {
        await this.#session.call("resendSignInCode", { body: { flow: this.#flow } })
    }
}

/** A mailbox or number that is being added: confirm with the code that was sent there. */
export class AddressSetUp {
    readonly step: Wire.NextStep["next_step"]
    readonly #flow: string
    readonly #session: Session

    constructor(answer: Wire.NextStep, session: Session) {
        this.step = answer.next_step
        this.#flow = answer.flow
        this.#session = session
    }

    /** Adds the address; answers with all of them. */
    async confirm(code: string): Promise<Wire.Address[]> {
        const body = { flow: this.#flow, response: { code } }
        const answer = await this.#session.call("confirmAddress", { body })
        await this.#session.replace(answer.session)
        return answer.addresses
    }

    /** Sends another code. */
    async resend(): Promise<void> {
        await this.#session.call("resendSignInCode", { body: { flow: this.#flow } })
    }
}
