import type { Texts } from "./texts.js"
import type { Action, Field, Typed, View } from "./view.js"

/** What the user does with a view. */
export interface Hands {
    send(typed: Typed): void
    act(action: Action): void
    /** Absent on the first view. */
    startAgain?: () => void
}

/** Makes an element without any markup of text, so that no text becomes markup. */
function make<Name extends keyof HTMLElementTagNameMap>(
    name: Name, attributes: Record<string, string>, ...children: (Node | string)[]
): HTMLElementTagNameMap[Name] {
    const element = document.createElement(name)
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value)
    element.append(...children)
    return element
}

/** The form of a view. */
export function drawn(view: View, texts: Texts, hands: Hands): HTMLFormElement {
    const form = make("form", { "data-view": view.name, novalidate: "" })
    form.append(make("h2", {}, view.title))
    if (view.text) form.append(make("p", {}, view.text))
    const list = view.list?.map(text => make("li", {}, make("code", {}, text)))
    if (list) form.append(make("ul", { "data-list": "" }, ...list))
    if (view.link) form.append(make("p", {}, make("a", { href: view.link.href }, view.link.label)))
    form.append(make("p", { role: "alert", "data-problem": "", hidden: "" }))
    form.append(...view.fields.map(fieldOf))
    if (view.submit) form.append(make("button", { type: "submit", "data-action": "submit" }, view.submit))
    form.append(...view.actions.map(action => buttonOf(action, hands)))
    if (hands.startAgain) {
        const back = make("button", { type: "button", "data-action": "back" }, texts.back)
        back.addEventListener("click", hands.startAgain)
        form.append(back)
    }
    form.addEventListener("submit", event => {
        event.preventDefault()
        hands.send(typedIn(form))
    })
    return form
}

function fieldOf(field: Field): HTMLLabelElement {
    const type = field.type ?? "text"
    const input = make("input", {
        name: field.name, type, ...(field.autocomplete && { autocomplete: field.autocomplete }),
        ...(field.numeric && { inputmode: "numeric" }), ...(!field.optional && { required: "" }),
        ...(type !== "checkbox" && { autocapitalize: "none", spellcheck: "false" })
    })
    if (type === "checkbox") return make("label", {}, input, ` ${field.label}`)
    return make("label", {}, make("span", {}, field.label), input)
}

function buttonOf(action: Action, hands: Hands): HTMLButtonElement {
    const button = make("button", { type: "button", "data-action": action.name }, action.label)
    button.addEventListener("click", () => hands.act(action))
    return button
}

function typedIn(form: HTMLFormElement): Typed {
    return Object.fromEntries([...new FormData(form)].map(([name, value]) => [name, String(value)]))
}

/** Shows an error in a form, and marks its fields; null takes it away. */
export function showProblem(form: HTMLFormElement, text: string | null): void {
    const place = form.querySelector<HTMLElement>("[data-problem]")
    if (place === null) return
    place.textContent = text
    place.hidden = text === null
    for (const input of form.querySelectorAll("input:not([type=checkbox])")) {
        input.toggleAttribute("aria-invalid", text !== null)
    }
    if (text !== null) form.querySelector("input")?.focus()
}

/** While a request runs, a second click sends nothing. */
export function setBusy(form: HTMLFormElement, isBusy: boolean): void {
    form.setAttribute("aria-busy", String(isBusy))
    for (const button of form.querySelectorAll("button")) button.disabled = isBusy
}

/** The shape of the form. Colours and fonts are those of the page. */
const style = `
gateway-sign-in form { display: grid; gap: 0.75rem; max-width: 24rem; }
gateway-sign-in label > span { display: block; margin-bottom: 0.25rem; }
gateway-sign-in input:not([type="checkbox"]) { box-sizing: border-box; width: 100%; padding: 0.5rem; font: inherit; }
gateway-sign-in button { padding: 0.5rem; font: inherit; }
gateway-sign-in code { overflow-wrap: anywhere; }
`

/** Adds the style once, as a sheet of its own, which a strict Content-Security-Policy allows. */
export function addStyle(): void {
    if (document.adoptedStyleSheets.some(sheet => sheet === sheetOfOurs)) return
    sheetOfOurs ??= new CSSStyleSheet()
    sheetOfOurs.replaceSync(style)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheetOfOurs]
}

let sheetOfOurs: CSSStyleSheet | undefined
