import { usePasskey } from "../passkeys.js"
import { by } from "../methods.js"
import type { SignInResult } from "../results.js"
import type { Step } from "../steps.js"
import type * as Wire from "../wire.js"
import { filled, type Texts } from "./texts.js"
import { codeField, passwordField, type Action, type Field, type Typed, type View } from "./view.js"

/** What a step needs of the element that shows it. */
export interface StepSurroundings {
    readonly texts: Texts
    /** What the user typed into the previous view. */
    readonly typed?: Typed
    /** Continues on the hosted pages. */
    redirect(step: Step): Promise<undefined>
}

type Draft = Partial<View> & Pick<View, "title">

/** The view of a step. */
export function stepView(step: Step, around: StepSurroundings): View {
    const draft = draftOf(step, around)
    const actions = [...draft.actions ?? [], ...actionsOf(step, around)]
    return { name: step.type, fields: [], submit: around.texts.continue, ...draft, actions }
}

function draftOf(step: Step, { texts, typed: before = {}, redirect }: StepSurroundings): Draft {
    const remember: Field = { name: "remember_device", label: texts.remember, type: "checkbox", optional: true }
    const kept = (typed: Typed): { remember_device?: true } =>
        (typed["remember_device"] ? { remember_device: true } : {})
    const text = (name: string, typed: Typed): string => typed[name] ?? ""
    switch (step.type) {
        case "confirm_sign_in_with_password": return {
            title: texts.signIn, fields: [passwordField("password", texts.password, false)],
            send: typed => step.answer({ password: text("password", typed) })
        }
        case "confirm_sign_in_with_otp": case "confirm_sign_in_with_sms_mfa_code": return {
            title: texts.signIn, text: sentTo(step.delivery, texts, before), fields: [codeField(texts.code), remember],
            send: typed => step.answer({ code: text("code", typed), ...kept(typed) })
        }
        case "confirm_sign_in_with_totp_code": return {
            title: texts.chooseSecond, text: texts.appCode, fields: [codeField(texts.code), remember],
            send: typed => step.answer({ code: text("code", typed), ...kept(typed) })
        }
        case "confirm_sign_in_with_passkey": return {
            title: texts.signIn, submit: texts.usePasskey, fields: step.factors ? [remember] : [],
            send: async typed => await step.answer({ credential: await usePasskey(step.passkey), ...kept(typed) })
        }
        case "confirm_sign_in_with_custom_challenge": {
            const question = String(step.challenge["question"] ?? "")
            const isRecovery = question === "recovery_code"
            return {
                title: texts.chooseSecond, ...(!isRecovery && { text: question }),
                fields: [
                    { name: "answer", label: isRecovery ? texts.recoveryCode : texts.answer, autocomplete: "off" }
                ],
                send: typed => step.answer({ answer: text("answer", typed) })
            }
        }
        case "continue_sign_in_with_totp_setup": return {
            title: texts.chooseSetUp, text: texts.appSetUp, list: [step.totp.secret],
            link: { label: texts.openApp, href: step.totp.uri }, fields: [codeField(texts.code)],
            send: typed => step.answer({ code: text("code", typed) })
        }
        case "continue_sign_in_with_email_mfa_setup": return {
            title: texts.chooseSetUp,
            fields: [{ name: "email", label: texts.email, type: "email", autocomplete: "email" }],
            send: typed => step.answer({ email: text("email", typed) })
        }
        case "continue_sign_in_with_sms_mfa_setup": return {
            title: texts.chooseSetUp, fields: [{ name: "phone", label: texts.phone, type: "tel", autocomplete: "tel" }],
            send: typed => step.answer({ phone: text("phone", typed) })
        }
        case "continue_sign_up_with_attributes": return {
            title: texts.signUp, fields: step.required_attributes.map(name => attributeField(name, texts)),
            send: typed => step.answer({ attributes: { ...typed } })
        }
        case "confirm_sign_in_with_new_password": {
            const wanted = step.required_attributes ?? []
            return {
                title: texts.signIn, text: texts.setNewPassword,
                fields: [
                    passwordField("new_password", texts.newPassword, true),
                    ...wanted.map(name => attributeField(name, texts))
                ],
                send: ({ new_password = "", ...attributes }) =>
                    step.answer({ new_password, ...(wanted.length > 0 && { attributes }) })
            }
        }
        case "reset_password": return {
            title: texts.resetPassword, text: sentTo(step.delivery, texts, before),
            fields: [codeField(texts.code), passwordField("new_password", texts.newPassword, true)],
            send: typed => step.answer({ code: text("code", typed), new_password: text("new_password", typed) })
        }
        case "confirm_sign_up": return {
            title: texts.signUp, text: sentTo(step.delivery, texts, before), fields: [codeField(texts.code)],
            send: typed => step.answer({ code: text("code", typed) })
        }
        case "continue_password_reset":
            return { title: texts.moment, sendsAfter: step.retry_after, send: () => step.answer({}) }
        case "link_account": return {
            title: texts.signIn, text: filled(texts.linkAccount, { email: step.email }), submit: texts.signIn,
            fields: [
                { name: "username", label: texts.username, autocomplete: "username" },
                passwordField("password", texts.password, false)
            ],
            send: typed => step.signIn(by.password(text("username", typed), text("password", typed))),
            actions: [{ name: "decline", label: texts.notMine, isLink: true, run: () => step.answer({ create_account: true }) }]
        }
        case "continue_in_browser": case "continue_sign_in_with_passkey_setup": case "unknown":
            return { title: texts.signIn, text: texts.inBrowser, send: () => redirect(step) }
        case "continue_sign_in_with_first_factor_selection": return { title: texts.choose, submit: "" }
        case "continue_sign_in_with_mfa_selection": return { title: texts.chooseSecond, submit: "" }
        case "continue_sign_in_with_mfa_setup_selection": return { title: texts.chooseSetUp, submit: "" }
    }
}

/** The field of an attribute, whose name may be in camel case; an unknown name is its own label. */
function attributeField(name: string, texts: Texts): Field {
    const words = name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)
    return { name, label: texts[`attribute_${words}`] ?? name }
}

/** The other factors, and another code. */
function actionsOf(step: Step, { texts }: StepSurroundings): Action[] {
    const again: Action[] = "resend" in step
        ? [{ name: "resend", label: texts.resend, isLink: true, run: () => step.resend() }] : []
    const factors: readonly Wire.Choice[] = ("factors" in step ? step.factors : undefined) ?? []
    return [...again, ...factors.map(factor => {
        const label = (texts as Record<string, string>)[`factor_${factor.type}`] ?? factor.type
        return {
            name: `factor-${factor.type}`, label: factor.hint === undefined ? label : `${label} (${factor.hint})`,
            run: () => choose(step, factor.id)
        }
    })]
}

async function choose(step: Step, factor: string): Promise<SignInResult> {
    if (!("answer" in step)) throw new TypeError("This step has no choice.")
    // Every step with `factors` takes a choice; the type of the union does not show it.
    return await (step.answer as (answer: { factor: string }) => Promise<SignInResult>)({ factor })
}

function sentTo(delivery: Wire.Delivery | undefined, texts: Texts, typed: Typed): string {
    if (delivery === undefined) return texts.enterCode
    const own = ["email", "phone", "username"].map(name => (typed[name] ?? "").trim())
    const known = own.find(text => masked(text) === delivery.destination)
    return filled(texts.codeSent, { destination: known ?? delivery.destination })
}

/** An address as the gateway masks it: what the user typed is no secret. */
function masked(text: string): string {
    const [, user, host, ending] = /^(.)[^@]*@(.).*(\.[^.@]+)$/u.exec(text) ?? []
    return ending === undefined ? `${text.slice(0, 3)}•••••${text.slice(-2)}` : `${user}•••@${host}•••${ending}`
}
