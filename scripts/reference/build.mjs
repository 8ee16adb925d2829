// Builds the API reference from docs/openapi.yaml into a folder: node scripts/reference/build.mjs [FOLDER]
//
// The folder works from any web server and from file://. The gateway serves it in development.
import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises"
import { join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { parse } from "../../clients/typescript/scripts/plain-yaml.mjs"
import { Document, withRefusals } from "./document.mjs"
import { readErrors } from "./errors.mjs"
import { pages } from "./pages.mjs"
import { readLibrarySamples } from "./samples.mjs"
import { searchIndex } from "./search.mjs"
import { yaml } from "./yaml.mjs"

const root = fileURLToPath(new URL("../../", import.meta.url))
const folder = resolve(process.argv[2] ?? join(root, "var/reference"))
const source = path => readFile(join(root, path), "utf8")

const openAPI = withRefusals(parse(await source("docs/openapi.yaml")))
const document = new Document(openAPI, readErrors(await source("docs/errors.md")))
document.samples = await readLibrarySamples(source, new Set(document.calls.map(call => call.id)))

const files = new Map([
    ["openapi.json", `${JSON.stringify(openAPI, null, 1)}\n`],
    ["openapi.yaml", `# Made from docs/openapi.yaml, with the refusals of each call as examples.\n${yaml(openAPI)}\n`],
    ["search.js", `window.searchIndex = ${JSON.stringify(searchIndex(document))}\n`],
    ...pages(document)
])

await mkdir(folder, { recursive: true })
for (const [name, text] of files) await writeFile(join(folder, name), text)
for (const name of ["reference.css", "reference.js"]) {
    await copyFile(fileURLToPath(new URL(name, import.meta.url)), join(folder, name))
}
console.log(`The API reference is ${join(folder, "index.html")}.`)
