// The element's form of each step sends the answer that docs/sign-in.md names.
import assert from "node:assert/strict"
import { readFileSync } from "node:fs"
import { test } from "node:test"
import { english } from "../dist/element/texts.js"
import { stepView } from "../dist/element/step-views.js"
import { by } from "../dist/index.js"
import { client, json, network } from "./gateway.mjs"

const delivery = { medium: "email", destination: "a•••@e•••.com", code_length: 6 }
const factors = [{ id: "f1", type: "totp", hint: "Phone" }, { id: "recovery_code", type: "recovery_code" }]
const code = { code: "123456", remember_device: "on" }
const kept = { code: "123456", remember_device: true }

/** Step, members, what the user types, and the response. */
const forms = [
    ["confirm_sign_in_with_password", {}, { password: "a b" }, { password: "a b" }],
    ["confirm_sign_in_with_otp", { delivery }, code, kept],
    ["confirm_sign_in_with_otp", {}, { code: "123456" }, { code: "123456" }],
    ["confirm_sign_in_with_sms_mfa_code", { delivery }, code, kept],
    ["confirm_sign_in_with_totp_code", { factors }, code, kept],
    ["confirm_sign_in_with_custom_challenge", { challenge: { question: "recovery_code" } }, { answer: "a" }, { answer: "a" }],
    ["continue_sign_in_with_totp_setup", { totp: { secret: "JBSW", uri: "otpauth://a" } }, { code: "1" }, { code: "1" }],
    ["continue_sign_in_with_email_mfa_setup", {}, { email: "a@example.com" }, { email: "a@example.com" }],
    ["continue_sign_in_with_sms_mfa_setup", {}, { phone: "+49" }, { phone: "+49" }],
    [
        "continue_sign_up_with_attributes", { required_attributes: ["city"] },
        { city: "Ulm" }, { attributes: { city: "Ulm" } }
    ],
    ["confirm_sign_in_with_new_password", {}, { new_password: "n" }, { new_password: "n" }],
    [
        "confirm_sign_in_with_new_password", { required_attributes: ["city"] },
        { new_password: "n", city: "Ulm" }, { new_password: "n", attributes: { city: "Ulm" } }
    ],
    ["reset_password", { delivery }, { code: "1", new_password: "n" }, { code: "1", new_password: "n" }],
    ["continue_password_reset", { retry_after: 2 }, {}, {}],
    ["confirm_sign_up", { delivery }, { code: "1" }, { code: "1" }]
]

/** The types of docs/openapi.yaml that a sign-in can come to, as the generated types have them. */
function allTypes() {
    const wire = readFileSync(new URL("../src/wire.ts", import.meta.url), "utf8")
    const steps = wire.matchAll(/export interface \w+Step \{\n(?:\s+\/\*\*.*\n)?\s+type: (.+)/g)
    return [...steps].flatMap(([, type]) => type.split(" | ")).map(type => JSON.parse(type))
}

async function shown(type, members, redirect) {
    const next = { status: "next_step", flow: "fl_1", expires_in: 600, next_step: { type, ...members } }
    const net = network(() => json(next), () => json(next))
    const { step } = await client(net).signIn(by.name("ann"))
    return { view: stepView(step, { texts: english, redirect }), net }
}

for (const [type, members, typed, response] of forms) {
    test(`${type} ${Object.keys(typed)}`, async () => {
        const { view, net } = await shown(type, members)
        const names = view.fields.map(field => field.name)
        assert.deepEqual(Object.keys(typed).filter(name => !names.includes(name)), [])
        await view.send(typed)
        assert.deepEqual(net.sent[1].body, { flow: "fl_1", response })
    })
}

test("every step has a view with a way on", async () => {
    const types = allTypes()
    assert.ok(types.length >= 20, `${types.length} types`)
    const members = {
        delivery, factors, passkey: { challenge: "AA" }, totp: { secret: "a", uri: "b" }, challenge: { question: "q" },
        required_attributes: [], retry_after: 1, email: "a•••", url: "https://login.example.com/login"
    }
    for (const type of types) {
        const { view } = await shown(type, members)
        assert.ok(view.submit !== "" || view.actions.length > 0, type)
        assert.ok(view.title.length > 0, type)
    }
})

test("other factors and another code are actions; so is declining a link", async () => {
    const { view, net } = await shown("confirm_sign_in_with_otp", { delivery, factors })
    assert.deepEqual(view.actions.map(action => action.name), ["resend", "factor-totp", "factor-recovery_code"])
    await view.actions[1].run()
    assert.deepEqual(net.sent[1].body.response, { factor: "f1" })
    const link = await shown("link_account", { email: "a•••" })
    await link.view.actions[0].run()
    assert.deepEqual(link.net.sent[1].body.response, { create_account: true })
})

test("accepting a link is a sign-in with the flow of the step", async () => {
    const { view, net } = await shown("link_account", { email: "a•••" })
    await view.send({ username: "ann", password: "a b" })
    assert.equal(net.sent[1].body.link_flow, "fl_1")
    assert.deepEqual(net.sent[1].body.credential, { username: "ann", password: "a b" })
})

test("steps that this page can't show lead to the hosted pages", async () => {
    const asked = []
    for (const type of ["continue_in_browser", "confirm_by_telepathy"]) {
        const { view } = await shown(type, { url: "https://login.example.com/login" }, async step => void asked.push(step.type))
        await view.send({})
    }
    assert.deepEqual(asked, ["continue_in_browser", "unknown"])
})
