import { FactorSetUp, AddressSetUp } from "./set-up.js"
import { createPasskey } from "./passkeys.js"
import type { SignInMethod } from "./methods.js"
import type { Session } from "./session.js"
import type * as Wire from "./wire.js"

/** The signed-in user's own account. Changes need a proof of the last ten minutes (`reauth_required`). */
export class Account {
    readonly #session: Session

    constructor(session: Session) {
        this.#session = session
    }

    // MARK: Profile

    /** Name, address, number and attributes of the account. */
    async profile(): Promise<Wire.Profile> {
        return await this.#session.call("account")
    }

    /** Changes display name, attributes or the preferred first factor; absent members stay, null removes. */
    async change(change: Wire.AccountChange): Promise<Wire.Profile> {
        return await this.#session.call("changeAccount", { body: change })
    }

    /** Changes the password; `current` is absent for an account without one. All other sessions end. A guest has none. */
    async changePassword(passwords: { current?: string; new: string }): Promise<void> {
        const { current } = passwords
        const body = { ...(current !== undefined && { current_password: current }), new_password: passwords.new }
        await this.#session.call("changePassword", { body })
    }

    // MARK: Identities at providers

    /** The linked identities. */
    async identities(): Promise<Wire.Identity[]> {
        return (await this.#session.call("identities")).identities
    }

    /**
     * Adds an identity. If it belongs to another account, the error `identity_in_use` may have a merge ticket.
     *
     * The first method of a guest brings another session: ask the client for it.
     */
    async link(method: SignInMethod): Promise<Wire.Identity> {
        // The server refuses methods without a provider by name.
        const body = { provider: method.provider, credential: method.credential as Wire.LinkedCredential }
        const answer = await this.#session.call("linkIdentity", { body })
        await this.#session.replace(answer.session)
        return answer.identity
    }

    /** Removes an identity; `last_credential` if nothing else opens the account. */
    async unlink(identity: string): Promise<void> {
        await this.#session.call("unlinkIdentity", { parameters: { id: identity } })
    }

    // MARK: Addresses and numbers

    /** Mailboxes and numbers, and which of them are confirmed. */
    async addresses(): Promise<Wire.Address[]> {
        return (await this.#session.call("addresses")).addresses
    }

    /** Sends a code to a mailbox or number, which joins the account when the code is confirmed. */
    async addAddress(address: string): Promise<AddressSetUp> {
        return new AddressSetUp(await this.#session.call("addAddress", { body: { address } }), this.#session)
    }

    /** Makes a confirmed address the main one of its kind; signs other devices out. */
    async makeMain(address: string): Promise<Wire.Address[]> {
        const sent = { parameters: { address }, body: { main: true } as const }
        return (await this.#session.call("preferAddress", sent)).addresses
    }

    /** Removes an address; signs other devices out. */
    async removeAddress(address: string): Promise<void> {
        await this.#session.call("removeAddress", { parameters: { address } })
    }

    // MARK: Second factors

    /** The second factors, and how many recovery codes are left. */
    async factors(): Promise<Wire.Factors> {
        return await this.#session.call("factors")
    }

    /** Begins to set up an authenticator app, a mailbox, a number or a passkey. */
    async addFactor(factor: FactorRequest): Promise<FactorSetUp> {
        const answer = await this.#session.call("addFactor", { body: factor })
        if (!("flow" in answer)) throw new TypeError("The gateway began no set-up.")
        return new FactorSetUp(answer, this.#session)
    }

    /** Creates a passkey in this browser. */
    async addPasskey(name?: string): Promise<Wire.FactorAdded> {
        const setUp = await this.addFactor({ type: "passkey" })
        if (setUp.step.type !== "continue_sign_in_with_passkey_setup") throw new TypeError("This is no passkey.")
        const credential = await createPasskey(setUp.step.passkey)
        return await setUp.confirm({ credential, ...(name !== undefined && { name }) })
    }

    /** Ten new recovery codes; the old ones end. */
    async newRecoveryCodes(): Promise<readonly string[]> {
        const answer = await this.#session.call("addFactor", { body: { type: "recovery_codes" } })
        return "flow" in answer ? [] : answer.recovery_codes
    }

    /** Names a factor, or makes it the one that is asked first. */
    async changeFactor(factor: string, change: Wire.FactorChange): Promise<Wire.Factors> {
        return await this.#session.call("changeFactor", { parameters: { id: factor }, body: change })
    }

    /** Removes a factor; without any, sign-ins ask for none. */
    async removeFactor(factor: string): Promise<void> {
        await this.#session.call("removeFactor", { parameters: { id: factor } })
    }

    /** Keeps all factors after support was asked to remove them. */
    async keepFactors(): Promise<void> {
        await this.#session.call("keepFactors")
    }

    // MARK: Devices and sessions

    /** The devices that skip the second factor. */
    async devices(): Promise<Wire.RememberedDevice[]> {
        return (await this.#session.call("rememberedDevices")).devices
    }

    /** Asks for the second factor on a device again. */
    async forgetDevice(device: string): Promise<void> {
        await this.#session.call("forgetDevice", { parameters: { id: device } })
    }

    /** Where the user is signed in. */
    async sessions(): Promise<Wire.DeviceSession[]> {
        return (await this.#session.call("sessions")).sessions
    }

    /** Signs a device out. */
    async endSession(session: string): Promise<void> {
        await this.#session.call("endSession", { parameters: { id: session } })
        if (session === this.#session.id) await this.#session.forget()
    }

    /** The latest events; `cursor` is `next_cursor` of the page before. */
    async events(page: { limit?: number; cursor?: string } = {}): Promise<Wire.Events> {
        return await this.#session.call("accountEvents", { parameters: page })
    }

    // MARK: Two accounts of one user

    /** A ticket from the other account's session, which must be at most ten minutes old. */
    async mergeTicket(other: Session): Promise<string> {
        const body = { access_token: await other.accessToken() }
        return (await this.#session.call("mergeTicket", { body })).merge_ticket
    }

    /** What a merge would move: show it to the user. */
    async previewMerge(ticket: string): Promise<Wire.OwnMergePreview> {
        return await this.#session.call("previewOwnMerge", { body: { merge_ticket: ticket } })
    }

    /** Merges the other account into this one; `digest` is that of the preview which the user confirmed. */
    async merge(ticket: string, digest: string): Promise<Wire.OwnMerge> {
        return (await this.#session.call("mergeOwnAccounts", { body: { merge_ticket: ticket, digest } })).merge
    }

    /** The merges that can still be undone. */
    async merges(): Promise<Wire.OwnMerge[]> {
        return (await this.#session.call("merges")).merges
    }

    /** Undoes a merge within seven days; every session of the account ends. */
    async undoMerge(merge: string): Promise<void> {
        await this.#session.call("undoOwnMerge", { parameters: { id: merge } })
        await this.#session.forget()
    }

    // MARK: Export and deletion

    /** All data of the account. */
    async export(): Promise<Wire.Export> {
        return await this.#session.call("exportAccount")
    }

    /** Asks for deletion, and signs out. The answer has the date; undefined if everything is already deleted. */
    async delete(): Promise<Wire.Deletion | undefined> {
        const answer = await this.#session.call("deleteAccount")
        await this.#session.forget()
        return answer?.deletion
    }

    /** Keeps the account whose deletion is pending. */
    async cancelDeletion(): Promise<void> {
        await this.#session.call("cancelDeletion")
    }
}

/** The factors that can be set up. */
export type FactorRequest =
    | { type: "totp" } | { type: "passkey" } | { type: "email"; email: string } | { type: "sms"; phone: string }
