import type * as Wire from "../wire.js"
import type { FakeCall } from "./fake-call.js"
import { problem, type Problem } from "./problem.js"
import type { FakeUser, WireStep } from "./reply.js"

/** The sign-in under way, and its user. */
export class FakeFlow {
    #token: string | undefined
    #count = 0
    #asked: { step: WireStep, life: number } | undefined
    #provider: string | undefined
    #user: FakeUser = {}
    #isNew = false

    /** Remembers what the calls that complete a sign-in do not repeat. */
    begin(call: FakeCall): void {
        const provider = call.text("provider")
        switch (call.name) {
            case "POST /v1/sign-in":
                if (provider === "guest") return this.#start({ email: null, guest: true }, true, provider)
                return this.#start(userNamed(call.text("credential", "username")), false, provider)
            case "POST /v1/password/forgot":
                return this.#start(userNamed(call.text("username")), false)
            case "POST /v1/sign-up": {
                const { email = null } = { ...userNamed(call.text("username")), ...userNamed(call.text("email")) }
                return this.#start({ email, displayName: call.text("display_name") ?? null }, true)
            }
        }
    }

    #start(user: FakeUser, isNew: boolean, provider?: string): void {
        this.#user = user
        this.#isNew = isNew
        this.#provider = provider
    }

    /** Asks the next question of the flow, or the first one of a new flow. */
    ask(step: WireStep, life: number): Wire.NextStep {
        this.#token ??= `flow-${++this.#count}`
        this.#asked = { step, life }
        return { status: "next_step", flow: this.#token, expires_in: life, next_step: step }
    }

    /** The same question, after its code was sent again. */
    askAgain(): Wire.NextStep {
        if (this.#asked === undefined) throw new TypeError("FakeGateway sent no code that could be sent again.")
        return this.ask(this.#asked.step, this.#asked.life)
    }

    refusalOf(call: FakeCall): Problem | undefined {
        const flow = call.text("flow")
        if (flow === undefined || flow === this.#token) return undefined
        return problem("flow_expired", 400, { title: "Start again" })
    }

    /** Ends the flow: for this user, or for that of the requests. */
    end(user = this.#user): { account: Wire.Account, isNew: boolean, provider: string | undefined, isGuest: boolean } {
        const isNew = this.#isNew
        this.#user = user
        this.#isNew = false
        this.#token = undefined
        const provider = own.includes(this.#provider) ? undefined : this.#provider
        return { account: this.#account, isNew, provider, isGuest: user.guest === true }
    }

    get #account(): Wire.Account {
        const { id, email = "ann@example.com", displayName = null, guest } = this.#user
        return {
            id: id ?? "00000000-0000-7000-8000-000000000001", display_name: displayName, email,
            email_verified: email !== null, created_at: "2026-01-01T00:00:00Z", ...(guest && { guest })
        }
    }

    get profile(): Wire.Profile {
        const more = { user_name: null, phone: null, phone_verified: false, attributes: {}, first_factor: null }
        return { ...this.#account, ...more }
    }
}

/** A name that is no address leaves the default one. */
const userNamed = (name: string | undefined): FakeUser => (name?.includes("@") ? { email: name } : {})

/** The providers for which an account has no identity. */
const own: readonly (string | undefined)[] = ["password", "email_otp", "sms_otp", "passkey", "guest", undefined]
