// Writes src/wire.ts and src/operations.ts from docs/openapi.yaml; with --check only says whether they are up to date.
import { readFile, writeFile } from "node:fs/promises"
import { parse } from "./plain-yaml.mjs"
import { typeOf, typeText } from "./schema-types.mjs"

const here = name => new URL(`../${name}`, import.meta.url)
const document = parse(await readFile(here("../../docs/openapi.yaml"), "utf8"))
const head = "// Made by scripts/make-wire.mjs from docs/openapi.yaml: change that document, not this file.\n"

/** The calls of an app: all of these tags. */
const tags = ["sign-in", "sign-up", "session", "account"]

const calls = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item)
        .filter(([method, operation]) => method !== "head" && tags.includes(operation.tags?.[0]))
        .map(([method, operation]) => ({ path, method, operation })))

function resolve(reference) {
    const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(reference)
    return document.components[kind][name]
}

const nameOf = reference => reference.split("/").pop()

/** The media type and the schema of a body; undefined where there is none. */
function content(body) {
    const whole = body?.$ref ? resolve(body.$ref) : body
    const [entry] = Object.entries(whole?.content ?? {})
    return entry && { type: entry[0], schema: entry[1].schema }
}

function answers(operation) {
    const good = Object.entries(operation.responses).filter(([status]) => status.startsWith("2"))
    const types = good.map(([, body]) => content(body)).map(body => (body ? typeOf(body.schema, "Wire.") : "undefined"))
    return [...new Set(types)].join(" | ")
}

function parameters(path, operation) {
    const known = (operation.parameters ?? []).map(one => (one.$ref ? resolve(one.$ref) : one))
    const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => `${name}: string`)
    const inQuery = known.filter(one => one.in === "query").map(one => `${one.name}?: ${typeOf(one.schema)}`)
    const members = [...inPath, ...inQuery]
    return members.length === 0 ? "undefined" : `{ ${members.join("; ")} }`
}

/** "required", "optional" or "none". */
function bearer(operation) {
    const kinds = operation.security ?? []
    if (!kinds.some(kind => "bearer" in kind)) return "none"
    return kinds.some(kind => Object.keys(kind).length === 0) ? "optional" : "required"
}

function operationsFile() {
    const table = calls.map(({ path, method, operation }) => {
        const form = content(operation.requestBody)?.type === "application/x-www-form-urlencoded"
        const where = `method: "${method.toUpperCase()}", path: "${path}"`
        return `    ${operation.operationId}: { ${where}, bearer: "${bearer(operation)}", form: ${form} },`
    })
    const types = calls.map(({ path, operation }) => {
        const body = content(operation.requestBody)
        return [
            `    /** ${operation.summary}. */`,
            `    ${operation.operationId}: {`,
            `        parameters: ${parameters(path, operation)}`,
            `        request: ${body ? typeOf(body.schema, "Wire.") : "undefined"}`,
            `        answer: ${answers(operation)}`,
            "    }"
        ].join("\n")
    })
    return [
        head, 'import type * as Wire from "./wire.js"\n',
        "/** Method, path and credentials of each call. */", "export const operations = {", ...table, "} as const\n",
        "/** What each call sends, and what it answers. */", "export interface Calls {", ...types, "}", ""
    ].join("\n")
}

/** The names of the schemas that the calls use, directly or not. */
function usedSchemas() {
    const used = new Set(["Problem", "OAuthError"])
    const queue = [...used].map(name => document.components.schemas[name])
    for (const { operation } of calls) {
        queue.push(content(operation.requestBody)?.schema)
        for (const [status, body] of Object.entries(operation.responses)) {
            if (status.startsWith("2")) queue.push(content(body)?.schema)
        }
    }
    while (queue.length > 0) {
        const value = queue.pop()
        if (value === null || typeof value !== "object") continue
        if (typeof value.$ref === "string" && !used.has(nameOf(value.$ref))) {
            used.add(nameOf(value.$ref))
            queue.push(document.components.schemas[nameOf(value.$ref)])
        }
        queue.push(...Object.values(value))
    }
    return Object.keys(document.components.schemas).filter(name => used.has(name))
}

function wireFile() {
    const types = usedSchemas().map(name => typeText(name, document.components.schemas[name]))
    const json = [
        "/** Any JSON value. */",
        "export type JSONValue = null | boolean | number | string | JSONValue[] | { [member: string]: JSONValue }\n"
    ].join("\n")
    return [head, json, ...types].join("\n")
}

const files = { "src/wire.ts": wireFile(), "src/operations.ts": operationsFile() }
for (const [name, text] of Object.entries(files)) {
    if (!process.argv.includes("--check")) {
        await writeFile(here(name), text)
    } else if (await readFile(here(name), "utf8").catch(() => "") !== text) {
        console.error(`${name} differs from docs/openapi.yaml: run node clients/typescript/scripts/make-wire.mjs.`)
        process.exitCode = 1
    }
}
