import { brands } from "./brands.js"
import type { Texts } from "./texts.js"
import type { Action, Field, Typed, View } from "./view.js"

/** What the user does with a view. */
export interface Hands {
    send(typed: Typed): void
    act(action: Action, typed: Typed): void
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
    form.append(...waysOf(view, texts, form, hands))
    if (hands.startAgain) {
        const back = make("button", { type: "button", "data-action": "back", "data-link": "" }, texts.back)
        back.addEventListener("click", hands.startAgain)
        form.append(back)
    }
    form.addEventListener("submit", event => {
        event.preventDefault()
        hands.send(typedIn(form))
    })
    return form
}

/** The other buttons: whole ones, a row of icons, and links. */
function waysOf(view: View, texts: Texts, form: HTMLFormElement, hands: Hands): HTMLElement[] {
    const draw = (actions: readonly Action[]): HTMLElement[] => actions.map(action => buttonOf(action, form, hands))
    const [icons, links] = [view.actions.filter(one => one.isIcon), view.actions.filter(one => one.isLink)]
    const whole = view.actions.filter(one => !one.isIcon && !one.isLink)
    const providers = whole.filter(one => one.provider !== undefined)
    const ways = [
        ...draw(providers), ...(icons.length > 0 ? [make("div", { "data-icons": "" }, ...draw(icons))] : []),
        ...draw(whole.filter(one => one.provider === undefined))
    ]
    const or = view.submit && ways.length > 0 ? [make("p", { "data-or": "" }, texts.or)] : []
    return [...or, ...ways, ...draw(links)]
}

function fieldOf(field: Field): HTMLLabelElement {
    const type = field.type ?? "text"
    const input = make("input", {
        name: field.name, type, ...(field.autocomplete && { autocomplete: field.autocomplete }),
        ...(field.numeric && { inputmode: "numeric" }), ...(field.value && { value: field.value }), ...(!field.optional && { required: "" }),
        ...(type !== "checkbox" && { autocapitalize: "none", spellcheck: "false" })
    })
    if (type === "checkbox") return make("label", {}, input, ` ${field.label}`)
    return make("label", {}, make("span", {}, field.label), input)
}

function buttonOf(action: Action, form: HTMLFormElement, hands: Hands): HTMLButtonElement {
    const attributes = {
        type: "button", "data-action": action.name, ...(action.isLink && { "data-link": "" }),
        ...(action.provider && { "data-provider": action.provider }), ...(action.isIcon && { "aria-label": action.label })
    }
    const icon = action.provider === undefined ? [] : iconOf(action.provider)
    const label = make("span", {}, action.label)
    const button = make("button", attributes, ...icon, ...(action.isIcon ? [] : [label]))
    button.addEventListener("click", () => hands.act(action, typedIn(form)))
    return button
}

const svg = "http://www.w3.org/2000/svg"

/** The icon of a brand; nothing for another provider. */
function iconOf(provider: string): SVGElement[] {
    const brand = brands[provider]
    if (brand === undefined) return []
    const icon = document.createElementNS(svg, "svg")
    const attributes = { viewBox: `0 0 ${brand.box} ${brand.box}`, width: "20", height: "20", "aria-hidden": "true" }
    for (const [key, value] of Object.entries(attributes)) icon.setAttribute(key, value)
    for (const shape of brand.shapes) {
        const path = document.createElementNS(svg, "path")
        path.setAttribute("fill", shape.fill)
        path.setAttribute("d", shape.d)
        icon.append(path)
    }
    return [icon]
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
