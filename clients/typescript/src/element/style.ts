import { brands, type BrandColours } from "./brands.js"

/** The colours of the hosted pages, on light and dark grounds. A site sets its own as `--gateway-<name>`. */
const colours: readonly (readonly [name: string, light: string, dark: string])[] = [
    ["card", "#ffffff", "#171b21"], ["text", "#151a21", "#eceff3"], ["quiet", "#566070", "#a4adba"],
    ["line", "#dfe3e9", "#2b323b"], ["edge", "#858e9c", "#727d8c"], ["field", "#ffffff", "#0f1318"],
    ["accent", "#2456d6", "#8fb1ff"], ["on-accent", "#ffffff", "#0b1736"], ["link", "#2456d6", "#9dbbff"],
    ["hover", "#eef1f5", "#222831"], ["problem", "#a1201c", "#ffb4ab"], ["problem-ground", "#fdefee", "#391b1b"]
]

/** Without weight of its own, so that a rule of the site with the element's name wins. */
const own = ":where(gateway-sign-in)"

const rules = `
${own}:not(:empty) {
    display: block; box-sizing: border-box; width: 100%; max-width: 25.5rem; padding: 2.25rem 2.25rem 2rem;
    border: 1px solid var(--_line); border-radius: calc(2 * var(--_radius)); background: var(--_card);
    color: var(--_text); font: 1rem/1.5 var(--_font); overflow-wrap: anywhere;
}
${own} form { display: grid; gap: .625rem; }
${own} h2 { margin: 0; font-size: 1.5rem; line-height: 1.25; font-weight: 650; text-align: center; text-wrap: balance; }
${own} p { margin: 0; color: var(--_quiet); text-align: center; }
${own} a { color: var(--_link); }
${own} ul { margin: 0; padding: 1rem; border: 1px solid var(--_line); border-radius: var(--_radius); list-style: none; text-align: center; }
${own} code { user-select: all; overflow-wrap: anywhere; }
${own} label { display: block; margin-top: .375rem; font-size: .9375rem; font-weight: 500; }
${own} label > span { display: block; margin-bottom: .375rem; }
${own} input:not([type="checkbox"]) {
    box-sizing: border-box; width: 100%; min-height: 2.875rem; padding: .5rem .75rem; border: 1px solid var(--_edge);
    border-radius: var(--_radius); background: var(--_field); color: inherit; font: inherit;
}
${own} input[name="code"] { font-size: 1.5rem; letter-spacing: .35em; text-align: center; }
${own} input[aria-invalid] { border-color: var(--_problem); }
${own} input[type="checkbox"] { width: 1.25rem; height: 1.25rem; vertical-align: text-bottom; accent-color: var(--_accent); }
${own} button {
    display: flex; align-items: center; justify-content: center; gap: .625rem; min-height: 2.75rem; padding: .5rem 1rem;
    border: 1px solid var(--_edge); border-radius: var(--_radius); background: transparent; color: var(--_text);
    font: inherit; font-weight: 500; line-height: 1.3; cursor: pointer;
}
${own} button:hover { background: var(--_hover); }
${own} button[type="submit"] { margin-top: .875rem; border-color: transparent; background: var(--_accent); color: var(--_on-accent); }
${own} button[type="submit"]:hover { filter: brightness(.92); }
${own} button[data-link] {
    min-height: 2.5rem; border: 0; background: none; color: var(--_link); font-weight: 400; text-decoration: underline;
    text-underline-offset: .15em;
}
${own} :focus-visible { outline: 3px solid var(--_accent); outline-offset: 2px; }
${own} [data-provider] svg + span { flex: 1; padding-right: 1.875rem; }
${own} [data-icons] { display: flex; flex-wrap: wrap; justify-content: center; gap: .625rem; }
${own} [data-icons] button { width: 2.75rem; padding: 0; }
${own} [data-or] { display: flex; align-items: center; gap: .75rem; margin: .625rem 0; font-size: .875rem; }
${own} [data-or]::before, ${own} [data-or]::after { content: ""; flex: 1; height: 1px; background: var(--_line); }
${own} [data-problem] {
    padding: .625rem .875rem; border-radius: var(--_radius); background: var(--_problem-ground); color: var(--_problem);
    font-size: .9375rem; text-align: left;
}
${own} [hidden] { display: none; }
@media (max-width: 30rem) { ${own}:not(:empty) { padding: 1.5rem 1.25rem; } }
`

/** The rules with one colour for each name; a pair of colours follows the `color-scheme` of the site. */
function palette(colour: (light: string, dark: string) => string): string {
    const names = colours.map(([name, light, dark]) => {
        const usual = name === "link" ? `var(--gateway-accent, ${colour(light, dark)})` : colour(light, dark)
        return `--_${name}: var(--gateway-${name}, ${usual});`
    })
    const buttons = Object.entries(brands).map(([provider, { light, dark }]) => {
        const pick = (name: keyof BrandColours, other: keyof BrandColours = name): string =>
            colour(light[name] ?? light[other] ?? "", dark[name] ?? dark[other] ?? "")
        const button = `${own} [data-provider="${provider}"]`
        return `${button} { border-color: ${pick("border")}; background: ${pick("background")}; color: ${pick("text")}; }
${button}:hover { border-color: ${pick("hoverBorder", "border")}; background: ${pick("hoverBackground")}; }
${button} svg { color: ${pick("icon", "text")}; }`
    })
    return `${own} { ${names.join(" ")} }\n${buttons.join("\n")}`
}

/** The style of the hosted pages. */
export const style = `
${own} { --_radius: var(--gateway-radius, .5rem); --_font: var(--gateway-font, system-ui, sans-serif); }
${palette(light => light)}
@supports (color: light-dark(red, red)) {
${palette((light, dark) => `light-dark(${light}, ${dark})`)}
}
${rules}`

/** Adds the style once, as a sheet of its own, which a strict Content-Security-Policy allows. */
export function addStyle(): void {
    if (document.adoptedStyleSheets.some(sheet => sheet === sheetOfOurs)) return
    sheetOfOurs ??= new CSSStyleSheet()
    sheetOfOurs.replaceSync(style)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheetOfOurs]
}

let sheetOfOurs: CSSStyleSheet | undefined
