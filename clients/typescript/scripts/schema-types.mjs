// JSON schemas, as docs/openapi.yaml uses them, as TypeScript types.

/** The type of a schema, on one line. `scope` goes before the names of other schemas. */
export function typeOf(schema, scope = "") {
    if (schema.$ref) return scope + schema.$ref.split("/").pop()
    if (schema.const !== undefined) return JSON.stringify(schema.const)
    if (schema.enum) return schema.enum.map(value => JSON.stringify(value)).join(" | ")
    const choices = schema.oneOf ?? schema.anyOf
    if (choices) return choices.map(choice => typeOf(choice, scope)).join(" | ")
    const types = [schema.type ?? "object"].flat()
    return types.map(type => simple(type, schema, scope)).join(" | ")
}

function simple(type, schema, scope) {
    switch (type) {
        case "string": return "string"
        case "integer": case "number": return "number"
        case "boolean": return "boolean"
        case "null": return "null"
        case "array": return list(typeOf(schema.items, scope))
        case "object": return schema.properties ? object(schema, scope) : `{ [member: string]: ${scope}JSONValue }`
        default: throw new Error(`There is no type for ${type}.`)
    }
}

const list = type => (/[ |{]/.test(type) ? `(${type})[]` : `${type}[]`)

function object(schema, scope) {
    const members = Object.entries(schema.properties)
        .map(([name, type]) => `${member(name, schema)}: ${typeOf(type, scope)}`)
    return `{ ${members.join("; ")} }`
}

const member = (name, schema) => name + (schema.required?.includes(name) ? "" : "?")

/** The exported declaration of a named schema. */
export function typeText(name, schema) {
    const comment = comments(schema.description ?? `\`${name}\` of docs/openapi.yaml.`)
    const isChoice = schema.oneOf ?? schema.anyOf ?? schema.enum
    if (isChoice || ![schema.type ?? "object"].flat().includes("object")) {
        return `${comment}export type ${name} = ${typeOf(schema)}\n`
    }
    const lines = Object.entries(schema.properties ?? {}).map(([key, value]) =>
        `${comments(value.description, "    ")}    ${member(key, schema)}: ${typeOf(value)}\n`)
    const isNullable = Array.isArray(schema.type) && schema.type.includes("null")
    if (lines.length === 0) return `${comment}export type ${name} = { [member: string]: never }\n`
    const start = isNullable ? `type ${name} = null |` : `interface ${name}`
    return `${comment}export ${start} {\n${lines.join("")}}\n`
}

function comments(text, indent = "") {
    return text === undefined ? "" : `${indent}/** ${text.replaceAll("*/", "*\\/")} */\n`
}
