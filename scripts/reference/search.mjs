// What the search of the reference finds.

/** Each entry: title, what stands below it, address, and further words. */
export function searchIndex(document) {
    const calls = document.calls.map(call => [
        call.operation.summary, `${call.method} ${call.path}`, document.addressOf(call),
        [...new Set([call.id, ...names(call, document), ...(call.isPage ? [] : call.codes)])].join(" ")
    ])
    const codes = [...document.errors].map(([code, { status, cause }]) =>
        [code, `${status} · ${cause}`, `errors.html#${code}`, ""])
    return [...calls, ...codes]
}

/** The names of parameters and properties. */
function names(call, document) {
    const [found, seen] = [call.parameters.map(one => one.name), new Set()]
    const walk = part => {
        if (part === null || typeof part !== "object") return
        if (part.$ref !== undefined) {
            if (seen.has(part.$ref)) return
            seen.add(part.$ref)
            walk(document.openAPI.components.schemas[part.$ref.split("/").pop()])
        }
        found.push(...Object.keys(part.properties ?? {}))
        for (const [key, value] of Object.entries(part)) if (key !== "example" && key !== "enum") walk(value)
    }
    for (const schema of [call.body?.schema, ...call.answers.map(answer => answer.schema)]) {
        if (schema !== undefined && !`${schema.$ref}`.endsWith("/Problem")) walk(schema)
    }
    return found
}
