// What the tests share: clients whose clock, store and network the test controls.
import { webcrypto } from "node:crypto"
import { GatewayClient, memoryStore } from "../dist/index.js"

// Node 18 has it, but not as a global.
globalThis.crypto ??= webcrypto

export const url = "https://login.example.com"

/** A clock that stands still until the test moves it. */
export function clock(start = Date.UTC(2026, 0, 1)) {
    const now = () => now.value
    now.value = start
    now.pass = seconds => { now.value += seconds * 1000 }
    return now
}

/** An answer with a JSON body, as the gateway sends it. */
export function json(body, status = 200, headers = {}) {
    const type = status < 400 ? "application/json" : "application/problem+json"
    return new Response(body === undefined ? null : JSON.stringify(body), {
        status, headers: { "content-type": type, ...headers }
    })
}

export function problem(code, status, more = {}) {
    const type = `https://login.example.com/errors/${code}`
    return json({ type, title: code, status, code, request_id: "request-1", ...more }, status)
}

/**
 * A network whose answers the test gives: `answers` are functions of the request, used in their order.
 *
 * `sent` has every request with its parsed body.
 */
export function network(...answers) {
    const sent = []
    const send = async (address, init) => {
        const body = typeof init.body === "string" ? JSON.parse(init.body) : init.body && Object.fromEntries(init.body)
        const { method, headers, credentials } = init
        const request = { method, url: new URL(address), headers, body, credentials }
        sent.push(request)
        const answer = answers.shift()
        if (answer === undefined) throw new TypeError(`Nothing was to ask ${address}`)
        const given = await answer(request)
        if (given instanceof Error) throw given
        return given
    }
    return { fetch: send, sent, add: (...more) => answers.push(...more) }
}

export const tokens = (number, life = 600) => ({
    id: "00000000-0000-7000-8000-000000000001", token_type: "Bearer", access_token: `access-${number}`,
    expires_in: life, refresh_token: `refresh-${number}`, refresh_expires_in: 2_592_000
})

export const signedIn = (number = 1, more = {}) => ({
    status: "signed_in", new_account: false, session: tokens(number),
    account: {
        id: "00000000-0000-7000-8000-000000000002", display_name: "Ann", email: "ann@example.com", email_verified: true,
        created_at: "2026-01-01T00:00:00Z"
    }, ...more
})

export function client(net, options = {}) {
    return new GatewayClient({ url, clientId: "app", store: memoryStore(), fetch: net.fetch, ...options })
}
