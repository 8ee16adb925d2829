import type { GatewayClient } from "../client.js"
import { by } from "../methods.js"
import { canUsePasskeys } from "../passkeys.js"
import { brands } from "./brands.js"
import { filled, type Texts } from "./texts.js"
import { passwordField, type Action, type Field, type Typed, type View } from "./view.js"

/** What the attributes of the element ask for. */
export interface StartSettings {
    readonly client: GatewayClient
    readonly texts: Texts
    /** Of the texts, for the words of brands. */
    readonly language: string
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
        actions: [...providerActions(settings), ...ownActions(settings)]
    }
}

function ownActions(settings: StartSettings): Action[] {
    const { client, texts, methods, signsUp } = settings
    const actions: Action[] = []
    const add = (name: string, label: string, run: Action["run"]): void => void actions.push({ name, label, run })
    const link = (name: string, label: string, run: Action["run"]): void =>
        void actions.push({ name, label, run, isLink: true })
    if (methods.includes("passkey") && canUsePasskeys()) add("passkey", texts.passkey, () => client.signInWithPasskey())
    if (methods.includes("password")) {
        const ask = (kind: "emailCode" | "smsCode"): Action["run"] => async start => nameView(
            kind, texts[kind], texts, start, values => client.signIn(by[kind](typed("username", values))))
        if (methods.includes("email")) add("email-code", texts.emailCode, ask("emailCode"))
        if (methods.includes("sms")) add("sms-code", texts.smsCode, ask("smsCode"))
        link("forgot", texts.forgot, async start => nameView(
            "forgot", texts.forgot, texts, start, values => client.forgotPassword(typed("username", values))))
        if (signsUp) link("sign-up", texts.signUp, async () => signUpView(settings))
    }
    return actions
}

/** Asks for the name alone; the one of the first view is kept. */
function nameView(name: string, title: string, texts: Texts, start: Typed, send: NonNullable<View["send"]>): View {
    const value = typed("username", start)
    const field: Field = { name: "username", label: texts.username, autocomplete: "username", value }
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

/** The greatest number of whole buttons; other brands are icons. */
const mostButtons = 3

function providerActions({ client, texts, language, providers, redirectUri }: StartSettings): Action[] {
    const whole = wholeButtons(providers)
    const rest = providers.filter(provider => !whole.includes(provider))
    return [...whole, ...rest].map(provider => ({
        name: `provider-${provider}`, provider, isIcon: !whole.includes(provider) && provider in brands,
        label: brands[provider]?.labels[language] ?? filled(texts.signInWith, { name: nameOf(provider) }),
        run: async () => {
            await client.redirect({ redirectUri, provider })
            return undefined
        }
    }))
}

/** The first ones; the last one gives way to a brand whose button may not be smaller than others. */
function wholeButtons(providers: readonly string[]): readonly string[] {
    const first = providers.slice(0, mostButtons)
    const later = providers.slice(mostButtons).find(provider => brands[provider]?.isNeverSmaller)
    return later === undefined ? first : [...first.slice(0, -1), later]
}

const nameOf = (provider: string): string =>
    (provider === "github" ? "GitHub" : provider.charAt(0).toUpperCase() + provider.slice(1))
