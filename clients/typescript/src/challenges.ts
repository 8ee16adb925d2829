/** A challenge of `WWW-Authenticate` (RFC 9110 section 11.6.1). Scheme and names are in lower case. */
export interface Challenge {
    readonly scheme: string
    readonly parameters: Map<string, string>
    /** In place of parameters. */
    token68?: string
}

const token = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const quotedText = String.raw`"(?:[\t \x21\x23-\x5b\x5d-\x7e\x80-\xff]|\\[\t \x21-\x7e\x80-\xff])*"`
const whole = /^(?:[^"]|"(?:[^"\\]|\\.)*")*$/s
const element = /(?:[^",]|"(?:[^"\\]|\\.)*")+/gs
const parameter = new RegExp(`^(${token})[ \\t]*=[ \\t]*(${token}|${quotedText})$`)
const beginning = new RegExp(`^(${token})(?: +(.+))?$`)
const token68 = /^[0-9A-Za-z._~+/-]+=*$/

/** The challenges of a header; undefined if it breaks the grammar. */
export function challengesOf(header: string): Challenge[] | undefined {
    // A quoted text that does not end would hide the rest.
    if (!whole.test(header)) return undefined
    const challenges: Challenge[] = []
    for (const item of header.match(element) ?? []) {
        const text = item.replace(/^[ \t]+|[ \t]+$/g, "")
        if (text !== "" && !isRead(text, challenges)) return undefined
    }
    return challenges
}

/** Adds one element of the list: a parameter of the last challenge, or the beginning of the next one. */
function isRead(text: string, challenges: Challenge[]): boolean {
    if (parameter.test(text)) return isAdded(text, challenges.at(-1))
    const [, scheme, rest] = beginning.exec(text) ?? []
    if (scheme === undefined) return false
    const challenge: Challenge = { scheme: scheme.toLowerCase(), parameters: new Map() }
    challenges.push(challenge)
    if (rest === undefined || isAdded(rest, challenge)) return true
    challenge.token68 = rest
    return token68.test(rest)
}

/** Adds a parameter, which a challenge has once. */
function isAdded(text: string, challenge: Challenge | undefined): boolean {
    const [, name, value] = parameter.exec(text) ?? []
    if (challenge === undefined || name === undefined || value === undefined) return false
    if (challenge.token68 !== undefined) return false
    const key = name.toLowerCase()
    if (challenge.parameters.has(key)) return false
    challenge.parameters.set(key, value.startsWith('"') ? value.slice(1, -1).replace(/\\(.)/gs, "$1") : value)
    return true
}
