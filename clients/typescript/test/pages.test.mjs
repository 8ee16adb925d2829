// The snippets of docs/start and of the gateway's README compile against the library, so that they can't drift.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "node:test"

const folder = fileURLToPath(new URL("../", import.meta.url))
const root = join(folder, "../..")
const read = page => readFileSync(join(root, page), "utf8")
const snippets = (page, language) =>
    [...read(page).matchAll(new RegExp(`^\`\`\`${language}\n([^]*?)^\`\`\``, "gm"))].map(([, snippet]) => snippet)

// The words that a page leaves to its reader.
const client = "declare const client: GatewayClient\n"
const session = "declare const session: Session\n"
const words = `import { GatewayClient, type Session, type Wire } from "../../dist/index.js"
declare function greet(user: Session | Wire.Account | Wire.Profile | string | null): void
declare function show(codes: readonly string[]): void
`

function program(snippet) {
    const own = snippet.replace(/^import .*\n/m, "").replaceAll(
        "document.querySelector(", "document.querySelector<HTMLElement>(")
    const needs = (name, line) => (own.includes(`const ${name} =`) || !own.includes(`${name}.`) ? "" : line)
    return `${words}${needs("client", client)}${needs("session", session)}${own}\nexport {}\n`
}

test("the JavaScript and TypeScript of the pages compile", () => {
    const pages = ["README.md", "docs/start/passkeys.md", "docs/start/website.md"]
    const all = pages.flatMap(page => [...snippets(page, "js"), ...snippets(page, "ts")])
    assert.equal(all.length, 5)
    const place = mkdtempSync(join(folder, "test/pages-"))
    try {
        const files = all.map((snippet, index) => {
            const file = join(place, `${index}.ts`)
            writeFileSync(file, program(snippet))
            return file
        })
        // A page's script knows its own elements: null is not checked.
        execFileSync("tsc", [
            "--noEmit", "--strict", "--strictNullChecks", "false", "--target", "ES2022", "--module", "ES2022",
            "--moduleResolution", "node", "--lib", "ES2022,DOM,DOM.Iterable", ...files
        ], { encoding: "utf8" })
    } catch (error) {
        assert.fail(error.stdout ?? error)
    } finally {
        rmSync(place, { recursive: true })
    }
})

test("every attribute of <gateway-sign-in> on a page is one that the element reads", () => {
    const [html] = snippets("docs/start/website.md", "html")
    const tag = html.match(/<gateway-sign-in([^>]*)>/)[1]
    const names = tag.replaceAll(/="[^"]*"/g, "").trim().split(/\s+/)
    const files = readdirSync(join(folder, "src/element"))
    const source = files.map(name => read(`clients/typescript/src/element/${name}`)).join("")
    assert.deepEqual(names, ["url", "client-id", "providers", "redirect-uri", "sign-up"])
    for (const name of names) assert.match(source, new RegExp(`(Attribute|#text)\\("${name}"\\)`), name)
})
