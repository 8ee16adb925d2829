// PKCE, state and issuer of the redirect (RFC 7636, RFC 9207).
import assert from "node:assert/strict"
import { createHash } from "node:crypto"
import { test } from "node:test"
import { appleNonce, RedirectError } from "../dist/index.js"
import { client, json, network, tokens, url } from "./gateway.mjs"

const redirectUri = "https://www.example.com/back?a=1"
const granted = () => json({ ...tokens(1), session_id: tokens(1).id })

async function begun(...answers) {
    const net = network(...answers)
    const subject = client(net)
    const options = { redirectUri, provider: "apple", prompt: "login", uiLocales: "de" }
    const start = new URL(await subject.redirectUrl(options))
    const back = (members, iss = url) => {
        const address = new URL(redirectUri)
        for (const [name, value] of Object.entries({ state: start.searchParams.get("state"), iss, ...members })) {
            if (value !== undefined) address.searchParams.set(name, value)
        }
        return address.href
    }
    return { subject, net, start, back }
}

test("the address has a fresh state and an S256 challenge, whose verifier redeems the code", async () => {
    const { subject, net, start, back } = await begun(granted)
    const asked = Object.fromEntries(start.searchParams)
    assert.equal(start.origin + start.pathname, `${url}/login/apple`)
    assert.equal(asked.redirect_uri, redirectUri)
    assert.deepEqual([asked.client_id, asked.prompt, asked.ui_locales], ["app", "login", "de"])
    assert.deepEqual([asked.response_type, asked.code_challenge_method], ["code", "S256"])
    const session = await subject.completeRedirect(back({ code: "hc_1" }))
    const [{ body, method }] = net.sent
    assert.equal(method, "POST")
    assert.equal(body.grant_type, "authorization_code")
    assert.equal(body.redirect_uri, redirectUri)
    assert.equal(createHash("sha256").update(body.code_verifier).digest("base64url"), asked.code_challenge)
    assert.equal(await session.accessToken(), "access-1")
})

const refusals = [
    ["another state", { code: "hc_1", state: "x".repeat(43) }, "state_unknown"],
    ["no state", { code: "hc_1", state: "" }, "state_unknown"],
    ["another issuer", { code: "hc_1", iss: "https://evil.example" }, "issuer_wrong"],
    ["no issuer", { code: "hc_1", iss: "" }, "issuer_wrong"],
    ["an empty code", { code: "" }, "code_missing"],
    ["an error of the gateway", { error: "access_denied" }, "access_denied"],
    ["an error of another issuer", { error: "access_denied", iss: "https://evil.example" }, "issuer_wrong"]
]
for (const [what, members, code] of refusals) {
    test(`${what} is refused, and no code is redeemed`, async () => {
        const { subject, net, back } = await begun()
        const isIt = error => error instanceof RedirectError && error.code === code
        await assert.rejects(subject.completeRedirect(back(members)), isIt)
        assert.equal(net.sent.length, 0)
    })
}

test("a return works once", async () => {
    const { subject, back } = await begun(granted)
    await subject.completeRedirect(back({ code: "hc_1" }))
    await assert.rejects(subject.completeRedirect(back({ code: "hc_1" })), { code: "state_unknown" })
})

test("an address that is no return is left alone", async () => {
    assert.equal(await client(network()).completeRedirect("https://www.example.com/?state=a"), undefined)
})

test("two redirects have different states and verifiers", async () => {
    const subject = client(network())
    const begin = async () => new URL(await subject.redirectUrl({ redirectUri })).searchParams
    const [one, other] = [await begin(), await begin()]
    for (const name of ["state", "code_challenge"]) assert.notEqual(one.get(name), other.get(name))
})

test("a step leads to pages of the gateway only", async () => {
    const next_step = { type: "continue_in_browser", url: "https://evil.example/login" }
    const next = { status: "next_step", flow: "", expires_in: 0, next_step }
    const subject = client(network(() => json(next)))
    const { step } = await subject.signIn({ provider: "microsoft", credential: { username: "ann", password: "a" } })
    await assert.rejects(step.open({ redirectUri }), { code: "issuer_wrong" })
})

test("Apple's nonce is the SHA-256 of the raw one in lower-case hex", async () => {
    // FIPS 180-2, appendix B.1.
    assert.equal(await appleNonce("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
})
