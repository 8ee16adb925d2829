// Writes src/element/attributes.ts from the labels of the hosted pages (Sources): `node scripts/make-attributes.mjs`.
import { readFileSync, writeFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const sources = new URL("../../../Sources/", import.meta.url)
const target = new URL("../src/element/attributes.ts", import.meta.url)
const tags = ["en", "zh-Hans", "ja", "ru", "de"]

const snake = name => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Other words of providers, with ours. */
function synonyms() {
    const text = readFileSync(new URL("Web/Pages/KnownAttribute.swift", sources), "utf8")
    const list = text.match(/synonyms: \[String: KnownAttribute\] = \[([^\]]*)\]/)[1]
    return [...list.matchAll(/"(\w+)": \.(\w+)/g)].map(([, name, own]) => [name, snake(own)])
}

function labels(tag, otherWords) {
    const messages = JSON.parse(readFileSync(new URL(`Pages/Messages/${tag}.json`, sources), "utf8"))
    const own = Object.entries(messages).filter(([key]) => key.startsWith("attribute."))
        .map(([key, text]) => [key.replace(".", "_"), text])
    const others = otherWords.map(([name, known]) => [`attribute_${name}`, messages[`attribute.${known}`]])
    return Object.fromEntries([...own, ...others].sort(([one], [two]) => (one < two ? -1 : 1)))
}

/** The file with the labels of each language. */
export function attributesFile() {
    const otherWords = synonyms()
    const all = Object.fromEntries(tags.map(tag => [tag, labels(tag, otherWords)]))
    const text = JSON.stringify(all, null, 4).replace(/"(\w+)":/g, "$1:")
    return `// Made by scripts/make-attributes.mjs from the labels of the hosted pages.

/** The labels of common attributes by language, as texts of the element. */
export const attributes = ${text}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeFileSync(target, attributesFile())
