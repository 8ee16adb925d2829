// Joins the compiled modules into dist/login-gateway.js, one file for pages without a bundler. It runs after tsc.
//
// It relies on the form of tsc's output: imports and exports of a module are whole lines, and nothing is renamed.
import { readFile, writeFile } from "node:fs/promises"

const dist = new URL("../dist/", import.meta.url)
const importLine = /^import (?:\{[^}]*\} from )?"(\.[^"]+)";$/
const reexportLine = /^export (\{[^}]*\}) from "(\.[^"]+)";$/
const joined = new Map()
const exported = new Set()

/** Adds a module after all that it imports. */
async function add(address) {
    if (joined.has(address)) return
    joined.set(address, "")
    const kept = []
    for (const line of (await readFile(new URL(address), "utf8")).split("\n")) {
        const place = importLine.exec(line)?.[1] ?? reexportLine.exec(line)?.[2]
        if (/^(import|export) \{[^}]* as /.test(line)) throw new Error(`${address} renames a name: ${line}`)
        if (place !== undefined) await add(new URL(place, address).href)
        else if (line.startsWith("import ")) throw new Error(`${address} imports in another form: ${line}`)
        else if (line !== "export {};") kept.push(line.replace(/^export (?=(async )?(function|class|const|let)\b)/, ""))
    }
    // A map keeps the order of the first insertion: a module must come after its imports.
    joined.delete(address)
    joined.set(address, kept.join("\n").trim())
}

/** The names that an entry exports. */
async function exportsOf(address) {
    for (const line of (await readFile(new URL(address), "utf8")).split("\n")) {
        const names = reexportLine.exec(line)?.[1]
        for (const name of names?.slice(1, -1).split(",") ?? []) exported.add(name.trim())
    }
}

/** One scope for all modules: a name that two of them declare would be an error at best. */
function refuseDoubleNames() {
    const owners = new Map()
    for (const [address, text] of joined) {
        for (const [, name] of text.matchAll(/^(?:async )?(?:function\*?|class|const|let) (\w+)/gm)) {
            if (owners.has(name)) throw new Error(`${name} is declared in ${owners.get(name)} and in ${address}.`)
            owners.set(name, address)
        }
    }
}

for (const entry of ["index.js", "element.js"]) {
    const address = new URL(entry, dist).href
    await add(address)
    await exportsOf(address)
}
refuseDoubleNames()
const texts = [...joined.values()].filter(text => text !== "")
await writeFile(new URL("login-gateway.d.ts", dist), 'export * from "./index.js";\nexport * from "./element.js";\n')
const last = `export { ${[...exported].sort().join(", ")} };\n`
await writeFile(new URL("login-gateway.js", dist), [...texts, last].join("\n\n"))
