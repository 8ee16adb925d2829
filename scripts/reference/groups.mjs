// Which call stands on which page, and under which heading.

/** The pages in the order of the navigation, each with the tags of its calls. */
export const parts = [
    { file: "sign-in.html", title: "Sign-in", tags: ["sign-in", "sign-up", "session"],
        lead: "Credentials in, a session out. An app without a server begins here, with the client libraries." },
    { file: "account.html", title: "Account", tags: ["account"],
        lead: "What signed-in users see and change of their own account. Every call needs the user's access token." },
    { file: "administration.html", title: "Administration", tags: ["operators"],
        lead: "The calls of operators and their programs. Every change needs a reason, which the audit log keeps." },
    { file: "standards.html", title: "Standards", tags: ["standards"],
        lead: "OAuth 2.0 and OpenID Connect as stock libraries call them, and the documents that systems look for." },
    { file: "reports.html", title: "Reports and health", tags: ["events", "operations"],
        lead: "What delivery services and providers report, and what monitoring asks." },
    { file: "pages.html", title: "Pages", tags: ["pages"],
        lead: "What browsers open: HTML, cookies and redirects. Apps link to a few of these pages and call none." }
]

export const fileOf = call => parts.find(part => part.tags.includes(call.tag)).file

/** By the address: the first that matches. */
const headings = [
    ["/v1/account/identities", "Identities"], ["/v1/account/merges", "Merging"],
    ["/v1/account/addresses", "Addresses"], ["/v1/account/factor", "Second factors"],
    ["/v1/account/(devices|sessions)", "Devices and sessions"], ["/v1/account/events", "Activity"],
    ["/v1/account/grants", "Apps with access"], ["/v1/account/(export|deletion)", "Export and deletion"],
    ["/v1/(account|password/change)", "Profile"],
    ["/v1/token/(introspect|revoke)", "Tokens"], ["/v1/(token|session|sign-out)", "Sessions"],
    ["/v1/sign-up", "Sign-up"], ["/v1/password", "Forgotten passwords"], ["/v1/(sign-in|nonce)", "Signing in"],
    ["/admin/api/v1/(accounts/{id}/(merge|split)|changes)", "Merging and splitting"],
    ["/admin/api/v1/accounts/{id}/identities", "Identities of an account"], ["/admin/api/v1/accounts", "Accounts"],
    ["/admin/api/v1/(me$|operators)", "Operators"], ["/admin/api/v1/audit", "Audit log"],
    ["/admin/api/v1/clients/{id}/access-keys", "Access keys"], ["/admin/api/v1/clients", "Apps"],
    ["/admin/api/v1/(providers|overview)", "Providers and overview"], ["/admin/api/v1/messages", "Messages"],
    ["/admin/api/v1/events", "Webhook endpoints"],
    ["/(authorize|end-session|userinfo|v1/par)", "OpenID Connect"],
    ["/(v1/device|device)", "Devices without a browser"],
    ["/v1/register", "Registration of apps"], ["/.well-known", "Well-known documents"],
    ["/v1/events", "Reports"], ["/(health|metrics)", "Health and metrics"],
    ["/(login|sign-up|forgot|recovery-codes)", "Sign-in pages"], ["/account", "Account pages"],
    ["/not-me", "Disowned sign-ins"], ["/admin", "Console"], ["/(docs|openapi)", "This reference"], ["", "Other pages"]
].map(([start, heading]) => [new RegExp(`^${start.replaceAll(".", "\\.").replaceAll(/[{}]/g, "\\$&")}`), heading])

const headingOf = call => headings.find(([pattern]) => pattern.test(call.path))[1]

/** The calls of a page by heading, each heading at the place of its first call. */
export function sections(calls) {
    const found = new Map()
    for (const call of calls) found.set(headingOf(call), [...(found.get(headingOf(call)) ?? []), call])
    const id = heading => `group-${heading.toLowerCase().replaceAll(" ", "-")}`
    return [...found].map(([heading, calls]) => ({ heading, id: id(heading), calls }))
}
