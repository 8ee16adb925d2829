import type { GatewayClient } from "../client.js"
import { by } from "../methods.js"
import { canUsePasskeys } from "../passkeys.js"
import type { Texts } from "./texts.js"
import { passwordField, type Action, type Field, type Typed, type View } from "./view.js"

/** What the attributes of the element ask for. */
export interface StartSettings {
    readonly client: GatewayClient
    readonly texts: Texts
    /** `password`, `email`, `sms`, `passkey`. */
    readonly methods: readonly string[]
    /** Ids of providers, such as `apple`. */
    readonly providers: readonly string[]
    readonly redirectUri: string
    readonly signsUp: boolean
}

const typed = (name: string, values: Typed): string => values[name] ?? ""

/** The first view: a name, and all ways to sign in. */
export function startView(settings: StartSettings): View {
    const { client, texts, methods } = settings
    const takesPassword = methods.includes("password")
    const name: Field = { name: "username", label: texts.username, autocomplete: "username webauthn" }
    return {
        name: "start", title: texts.signIn,
        fields: takesPassword ? [name, passwordField("password", texts.password, false)] : [name],
        submit: takesPassword ? texts.signIn : texts.continue,
        send: values => takesPassword
            ? client.signIn(by.password(typed("username", values), typed("password", values)))
            : client.signIn(methods.includes("sms") && !methods.includes("email")
                ? by.smsCode(typed("username", values)) : by.emailCode(typed("username", values))),
        actions: [...ownActions(settings), ...providerActions(settings)]
    }
}

function ownActions(settings: StartSettings): Action[] {
    const { client, texts, methods, signsUp } = settings
    const actions: Action[] = []
    const add = (name: string, label: string, run: Action["run"]): void => void actions.push({ name, label, run })
    if (methods.includes("passkey") && canUsePasskeys()) add("passkey", texts.passkey, () => client.signInWithPasskey())
    if (methods.includes("password")) {
        const ask = (kind: "emailCode" | "smsCode"): Action["run"] => async () =>
            nameView(kind, texts[kind], texts, values => client.signIn(by[kind](typed("username", values))))
        if (methods.includes("email")) add("email-code", texts.emailCode, ask("emailCode"))
        if (methods.includes("sms")) add("sms-code", texts.smsCode, ask("smsCode"))
        add("forgot", texts.forgot, async () =>
            nameView("forgot", texts.forgot, texts, values => client.forgotPassword(typed("username", values))))
        if (signsUp) add("sign-up", texts.signUp, async () => signUpView(settings))
    }
    return actions
}

function nameView(name: string, title: string, texts: Texts, send: NonNullable<View["send"]>): View {
    const field: Field = { name: "username", label: texts.username, autocomplete: "username" }
    return { name, title, fields: [field], submit: texts.continue, send, actions: [] }
}

function signUpView({ client, texts }: StartSettings): View {
    return {
        name: "sign-up", title: texts.signUp, submit: texts.signUp, actions: [],
        fields: [
            { name: "username", label: texts.username, autocomplete: "username" },
            passwordField("password", texts.password, true)
        ],
        send: values => client.signUp({ username: typed("username", values), password: typed("password", values) })
    }
}

function providerActions({ client, texts, providers, redirectUri }: StartSettings): Action[] {
    return providers.map(provider => ({
        name: `provider-${provider}`,
        label: texts.continueWith.replace("{name}", provider.charAt(0).toUpperCase() + provider.slice(1)),
        run: async () => {
            await client.redirect({ redirectUri, provider })
            return undefined
        }
    }))
}
