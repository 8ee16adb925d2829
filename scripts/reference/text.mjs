// Small texts: HTML, the marks of descriptions, JSON that is read by people, colours of code.

const entities = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

export const escape = text => `${text}`.replace(/[&<>"]/g, character => entities[character])

/** An element: the children are HTML, the values of attributes are text; true stands for an attribute without one. */
export function h(name, attributes = {}, ...children) {
    const written = Object.entries(attributes).filter(([, value]) => value !== undefined && value !== false)
        .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${escape(value)}"`))
    return `<${name}${written.join("")}>${children.flat().join("")}</${name}>`
}

/** A block of code that the keyboard can scroll. */
export const pre = (html, attributes = {}) => h("pre", { tabindex: "0", ...attributes }, h("code", {}, html))

/** A description: code in backticks becomes a link where it names a call or an error code. */
export function prose(text, document) {
    return escape(text ?? "")
        .replace(/\[([^\]]*)\]\((https?:[^)]*)\)/g, '<a href="$2">$1</a>').replace(/\[([^\]]*)\]\([^)]*\)/g, "$1")
        .replace(/`([^`]*)`/g, (_, code) => linked(code, document))
}

function linked(code, document) {
    const call = document.byAddress.get(code.replace("…", "/admin/api/v1"))
    if (call !== undefined) return `<a href="${document.addressOf(call)}"><code>${code}</code></a>`
    if (document.errors.has(code)) return `<a href="errors.html#${code}"><code>${code}</code></a>`
    return `<code>${code}</code>`
}

/** JSON with short objects and lists on one line. */
export function pretty(value, width = 64, indent = "") {
    const flat = inline(value)
    if (value === null || typeof value !== "object" || indent.length + flat.length <= width) return flat
    const more = `${indent}  `
    if (Array.isArray(value)) return `[\n${value.map(one => more + pretty(one, width, more)).join(",\n")}\n${indent}]`
    const members = Object.entries(value)
        .map(([name, one]) => `${more}${JSON.stringify(name)}: ${pretty(one, width, more)}`)
    return `{\n${members.join(",\n")}\n${indent}}`
}

function inline(value) {
    if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`
    if (value === null || typeof value !== "object") return JSON.stringify(value)
    const members = Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${inline(one)}`)
    return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}

const words = {
    curl: /\b(?:curl)\b/, json: /\b(?:true|false|null)\b/,
    swift: /\b(?:let|var|try|await|switch|case|for|in|if|print)\b/,
    typescript: /\b(?:const|await|if|else|for|of|new|undefined)\b/, text: /(?!)/
}

/** Code with spans for comments, strings, numbers and words. */
export function coloured(code, language) {
    const strings = { curl: /'(?:[^']|'\\'')*'|"[^"]*"/, swift: /#?"{3}[\s\S]*?"{3}#?|#"[^"]*"#|"(?:[^"\\]|\\.)*"/ }
    const string = strings[language] ?? /`[^`]*`|"(?:[^"\\]|\\.)*"(?!\s*:)/
    const pattern = new RegExp([
        `(?<comment>(?<![:"'\\w/])(?://|# )[^\\n]*)`, `(?<name>"(?:[^"\\\\]|\\\\.)*"(?=\\s*:))`,
        `(?<string>${string.source})`, `(?<number>\\b\\d[\\d_.]*\\b)`,
        `(?<word>${(words[language] ?? words.text).source})`
    ].join("|"), "g")
    if (language === "text") return escape(code)
    let [result, place] = ["", 0]
    for (const match of code.matchAll(pattern)) {
        const [kind] = Object.entries(match.groups).find(([, text]) => text !== undefined)
        result += `${escape(code.slice(place, match.index))}<span class="c-${kind}">${escape(match[0])}</span>`
        place = match.index + match[0].length
    }
    return result + escape(code.slice(place))
}
