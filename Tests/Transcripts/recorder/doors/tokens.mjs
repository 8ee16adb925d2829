// Tokens, texts and times of a recording.

/** Header and claims of a JWT; undefined for another text. */
export function claimsOf(text) {
    const parts = text.split(".")
    if (parts.length !== 3 || !text.startsWith("ey")) return undefined
    const [header, claims] = parts.slice(0, 2).map(part => JSON.parse(Buffer.from(part, "base64url").toString("utf8")))
    return { header, claims }
}

/** The start of 2026, which stands for the present. */
const present = 1_767_225_600
const claimTimes = ["iat", "nbf", "exp", "auth_time"]
const memberTimes = [
    "CreatedAt", "DeviceCreateDate", "DeviceLastModifiedDate", "DeviceLastAuthenticatedDate", "UserCreateDate",
    "UserLastModifiedDate", "CreateDate", "LastActiveDate"
]

/** The same with times that do not depend on the clock: lifetimes stay, in tens of seconds. */
export function stillTimes(value, now = Date.now() / 1_000) {
    if (Array.isArray(value)) return value.map(item => stillTimes(item, now))
    if (value === null || typeof value !== "object") return value
    const begun = typeof value.iat === "number" ? value.iat : now
    return Object.fromEntries(Object.entries(value).map(([name, item]) => {
        const isTime = typeof item === "number" && [...claimTimes, ...memberTimes].includes(name)
        return [name, isTime ? present + Math.round((item - begun) / 60) * 60 : stillTimes(item, now)]
    }))
}

/** Every text in a body. */
export function textsIn(body) {
    if (typeof body === "string") return [body]
    return body !== null && typeof body === "object" ? Object.values(body).flatMap(textsIn) : []
}
