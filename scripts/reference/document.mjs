// docs/openapi.yaml as the reference reads it: calls with resolved references, their refusals and their pages.
import { fileOf } from "./groups.mjs"

const methods = ["get", "post", "put", "patch", "delete"]

/** The problem documents of an operation are those of its codes: adds them to its answers, by status. */
export function withRefusals(openAPI) {
    const { components, paths } = openAPI
    const joined = operation => ({
        ...operation,
        responses: Object.fromEntries(Object.entries(operation.responses).map(([status, response]) =>
            [status, withExamples(response, status, operation)]))
    })
    const withExamples = (response, status, operation) => {
        const whole = components.responses[response.$ref?.split("/").pop()] ?? response
        const media = whole.content?.["application/problem+json"]
        const codes = codesOf(operation, openAPI)
            .filter(code => `${components.examples[code]?.value.status}` === status)
        if (media === undefined || codes.length === 0) return response
        const examples = Object.fromEntries(codes.map(code => [code, { $ref: `#/components/examples/${code}` }]))
        return { ...whole, content: { "application/problem+json": { schema: media.schema, examples } } }
    }
    const changed = Object.entries(paths).map(([path, item]) => [path, Object.fromEntries(
        Object.entries(item).map(([method, one]) => [method, methods.includes(method) ? joined(one) : one]))])
    return { ...openAPI, paths: Object.fromEntries(changed) }
}

/** The codes of an operation, without those that every call may answer. */
function codesOf(operation, openAPI) {
    const groups = (operation["x-code-groups"] ?? []).flatMap(group => openAPI["x-code-groups"][group])
    return [...new Set([...groups, ...(operation["x-codes"] ?? [])])]
}

export class Document {
    constructor(openAPI, errors) {
        this.openAPI = openAPI
        this.errors = errors
        this.calls = Object.entries(openAPI.paths).flatMap(([path, item]) =>
            methods.filter(method => item[method]).map(method => this.#call(path, method, item[method])))
        this.byAddress = new Map(this.calls.map(call => [`${call.method} ${call.path}`, call]))
    }

    #call(path, method, operation) {
        return {
            id: operation.operationId, method: method.toUpperCase(), path, operation, tag: operation.tags[0],
            isPage: operation["x-page-codes"] !== undefined,
            codes: operation["x-page-codes"] ?? operation["x-oauth-codes"] ?? codesOf(operation, this.openAPI),
            parameters: (operation.parameters ?? []).map(one => this.resolved(one)),
            body: this.#body(operation.requestBody),
            answers: Object.entries(operation.responses).filter(([status]) => status !== "default")
                .map(([status, response]) => this.#answer(status, this.resolved(response)))
        }
    }

    #body(requestBody) {
        const [entry] = Object.entries(requestBody?.content ?? {})
        return entry && { type: entry[0], schema: entry[1].schema, examples: this.#examples(entry[1]) }
    }

    #answer(status, response) {
        const [entry] = Object.entries(response.content ?? {})
        return {
            status, description: response.description, type: entry?.[0], schema: entry?.[1].schema,
            examples: entry ? this.#examples(entry[1]) : []
        }
    }

    #examples(media) {
        const named = Object.entries(media.examples ?? {})
            .map(([name, one]) => ({ name, value: this.resolved(one).value }))
        return media.example === undefined ? named : [{ name: "", value: media.example }]
    }

    /** Where a call is shown. */
    addressOf(call) {
        return `${fileOf(call)}#${call.id}`
    }

    /** The target of a reference, with the description beside the reference. */
    resolved(part) {
        if (part.$ref === undefined) return part
        const [, kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(part.$ref)
        const { $ref, ...beside } = part
        return { ...this.resolved(this.openAPI.components[kind][name]), ...beside }
    }
}
