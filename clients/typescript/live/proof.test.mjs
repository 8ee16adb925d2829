// A session that is bound to a key (RFC 9449), against a running gateway: GATEWAY, SIMULATOR and MAIL name it.
import assert from "node:assert/strict"
import { webcrypto } from "node:crypto"
import { test } from "node:test"
import { by, GatewayClient, memoryStore } from "../dist/index.js"
import { password, signedUp } from "../../../Tests/Transcripts/recorder/people.mjs"
import { Servers } from "../../../Tests/Transcripts/recorder/server.mjs"

globalThis.crypto ??= webcrypto
const { GATEWAY, SIMULATOR: simulator, MAIL: mail } = process.env
const servers = new Servers({ gateway: GATEWAY, simulator, mail })
// A proof names the public address.
const url = GATEWAY.replace("127.0.0.1", "localhost")

/** A store whose access tokens look expired once `isLate` is set. */
function ageingStore() {
    const store = memoryStore()
    return {
        ...store, isLate: false,
        set(key, value) {
            if (value.startsWith("{")) this.tokens = JSON.parse(value)
            store.set(key, value)
        },
        get(key) {
            const text = store.get(key)
            return this.isLate && text?.startsWith("{") ? JSON.stringify({ ...JSON.parse(text), expires_at: 0 }) : text
        }
    }
}

test("calls and refreshes prove the key, and the tokens alone open nothing", async () => {
    const { email } = await signedUp(servers)
    const store = ageingStore()
    const client = new GatewayClient({ url, clientId: "app", store, proofOfPossession: true })
    const { session } = await client.signIn(by.password(email, password))
    assert.equal((await session.account.profile()).email, email)
    const token = await session.accessToken()
    const bare = await fetch(`${url}/v1/account`, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(bare.status, 401)
    store.isLate = true
    assert.notEqual(await session.accessToken(), token)
    store.isLate = false
    assert.equal((await session.fetch(`${url}/v1/account`)).status, 200)
    const { refresh_token } = store.tokens
    const stolen = await fetch(`${url}/v1/token/refresh`, {
        method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ refresh_token })
    })
    assert.deepEqual([stolen.status, (await stolen.json()).code], [401, "refresh_token_invalid"])
    await session.signOut()
})
