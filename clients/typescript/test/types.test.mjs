// The public types, and every snippet of the README, compile as strictly as the library.
import assert from "node:assert/strict"
import { execFileSync } from "node:child_process"
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { test } from "node:test"

const folder = fileURLToPath(new URL("../", import.meta.url))
const options = [
    "--noEmit", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess", "--target", "ES2022",
    "--module", "ES2022", "--moduleResolution", "node", "--lib", "ES2022,DOM,DOM.Iterable"
]

function compile(...words) {
    try {
        execFileSync("tsc", [...options, ...words], { encoding: "utf8" })
    } catch (error) {
        assert.fail(error.stdout)
    }
}

test("each step takes its own answer, and each provider its own credential", () => {
    compile(join(folder, "test/types.ts"))
})

test("the samples of the API reference compile", () => {
    compile(join(folder, "test/reference-samples.ts"))
})

test("the snippets of the README compile", () => {
    const text = readFileSync(join(folder, "README.md"), "utf8")
    const snippets = [...text.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, snippet]) => snippet)
    assert.ok(snippets.length >= 5, `${snippets.length} were found`)
    const place = mkdtempSync(join(folder, "test/snippets-"))
    try {
        const files = snippets.map((snippet, index) => {
            const file = join(place, `${index}.ts`)
            const built = snippet.replaceAll(/@login-gateway\/client\/(element|testing)/g, "../../dist/$1.js")
            writeFileSync(file, built.replaceAll("@login-gateway/client", "../../dist/index.js"))
            return file
        })
        compile(...files)
    } finally {
        rmSync(place, { recursive: true })
    }
})
