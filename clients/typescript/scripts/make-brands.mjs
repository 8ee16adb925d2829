// Writes src/element/brands.ts from the brands of the hosted pages (Sources/Providers): `node scripts/make-brands.mjs`.
import { readFileSync, readdirSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const sources = fileURLToPath(new URL("../../../Sources/Providers/", import.meta.url))
const target = new URL("../src/element/brands.ts", import.meta.url)

/** The arguments of each `ProviderBrand(…)` in a source text. */
function calls(text) {
    return [...text.matchAll(/= ProviderBrand\(/g)].map(({ index }) => {
        let [end, depth, isQuoted] = [text.indexOf("(", index), 0, false]
        do {
            if (text[end] === "\"") isQuoted = !isQuoted
            else if (!isQuoted) depth += { "(": 1, ")": -1 }[text[end]] ?? 0
            end += 1
        } while (depth > 0)
        return text.slice(index, end)
    })
}

function colours(call, scheme) {
    const list = call.match(new RegExp(`${scheme}: \\.init\\(([^)]*)\\)`))[1]
    return Object.fromEntries([...list.matchAll(/(\w+): "([^"]+)"/g)].map(([, name, value]) => [name, value]))
}

function brand(call) {
    const id = call.match(/ProviderBrand\(\s*(?:\.(\w+)|ProviderID\(known: "(\w+)"\))/)
    const icon = call.slice(call.indexOf("icon:"), call.indexOf("light:"))
    const shapes = [...icon.matchAll(/<path fill="([^"]+)" d="([^"]+)"\/>/g)].map(([, fill, d]) => ({ fill, d }))
    const labels = call.match(/labels: \[([^\]]*)\]/)?.[1] ?? ""
    return [id[1] ?? id[2], {
        box: Number(icon.match(/box: (\d+)/)?.[1] ?? 24),
        shapes: shapes.length > 0 ? shapes : [{ fill: "currentColor", d: icon.match(/"(M[^"]+)"/)[1] }],
        light: colours(call, "light"), dark: colours(call, "dark"),
        labels: Object.fromEntries([...labels.matchAll(/"([\w-]+)": "([^"]+)"/g)].map(([, tag, text]) => [tag, text])),
        isNeverSmaller: call.includes("isNeverSmaller: true")
    }]
}

/** The file with all brands, ordered by id. */
export function brandsFile() {
    const files = readdirSync(sources, { recursive: true }).filter(name => name.endsWith(".swift"))
    const all = files.flatMap(name => calls(readFileSync(sources + name, "utf8"))).map(brand)
    const text = JSON.stringify(Object.fromEntries(all.sort(([one], [two]) => (one < two ? -1 : 1))), null, 4)
    return `// Made by scripts/make-brands.mjs from the brands of the hosted pages.

/** The colours of a button, as CSS writes them. */
export interface BrandColours {
    readonly border: string
    readonly background: string
    readonly text: string
    readonly hoverBorder?: string
    readonly hoverBackground: string
    /** The icon's, if it is not the text's. */
    readonly icon?: string
}

/** The look of a provider's button. */
export interface Brand {
    /** Width and height of the drawing. */
    readonly box: number
    readonly shapes: readonly { readonly fill: string; readonly d: string }[]
    readonly light: BrandColours
    readonly dark: BrandColours
    /** The words of the button by language, if the brand has its own. */
    readonly labels: { readonly [language: string]: string }
    /** Whether the brand forbids that its button is smaller than others. */
    readonly isNeverSmaller: boolean
}

export const brands: { readonly [provider: string]: Brand } = ${text.replace(/"(\w+)":/g, "$1:")}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, brandsFile())
