import type { SignInResult } from "../results.js"

/** A field of a form. */
export interface Field {
    readonly name: string
    readonly label: string
    readonly type?: "text" | "password" | "email" | "tel" | "checkbox"
    readonly autocomplete?: string
    /** Digits: phones show their number keys. */
    readonly numeric?: boolean
    /** What the user typed before. */
    readonly value?: string
    readonly optional?: boolean
}

/** What a user typed, by the names of the fields. A checked box is "on". */
export type Typed = { readonly [field: string]: string }

/** Something else that a user can do. It comes to a result, to another view, or to nothing. */
export interface Action {
    readonly name: string
    readonly label: string
    /** A link below the buttons. */
    readonly isLink?: boolean
    /** The id of a provider, whose brand the button has. */
    readonly provider?: string
    /** Whether the button shows the icon of the brand alone. */
    readonly isIcon?: boolean
    /** What the user typed is not sent yet. */
    run(typed: Typed): Promise<SignInResult | View | undefined>
}

/** One screen of the element. */
export interface View {
    readonly name: string
    readonly title: string
    readonly text?: string
    /** Texts to copy, such as recovery codes. */
    readonly list?: readonly string[]
    readonly link?: { readonly label: string; readonly href: string }
    readonly fields: readonly Field[]
    readonly submit?: string
    send?(typed: Typed): Promise<SignInResult | View | undefined>
    readonly actions: readonly Action[]
    /** Seconds after which the form sends itself. */
    readonly sendsAfter?: number
}

const code: Field = { name: "code", label: "", autocomplete: "one-time-code", numeric: true }

/** A field for a code of digits. */
export const codeField = (label: string): Field => ({ ...code, label })

/** A field for the password that the user has, or for a new one. */
export const passwordField = (name: string, label: string, isNew: boolean): Field =>
    ({ name, label, type: "password", autocomplete: isNew ? "new-password" : "current-password" })

export function isView(value: SignInResult | View): value is View {
    return "fields" in value
}
