// Writes an object in the small part of YAML that docs/openapi.yaml keeps to.

/** Long objects get a line for each member; everything else is JSON on one line. */
export function yaml(object, indent = "") {
    return Object.entries(object).map(([name, value]) => {
        const key = /^[A-Za-z_/$][\w/{}.$-]*$/.test(name) && !reserved.has(name) ? name : JSON.stringify(name)
        const start = `${indent}${key}:`
        return isLong(value) ? `${start}\n${yaml(value, `${indent}  `)}` : `${start} ${JSON.stringify(value)}`
    }).join("\n")
}

/** Older readers take these keys for truth values. */
const reserved = new Set(["y", "n", "yes", "no", "on", "off", "true", "false", "null"])

const isLong = value =>
    value !== null && typeof value === "object" && !Array.isArray(value) && JSON.stringify(value).length > 100
