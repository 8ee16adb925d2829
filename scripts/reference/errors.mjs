// Reads the table of docs/errors.md: cause and remedy of each code.

/** By code: its status, cause and remedy. */
export function readErrors(text) {
    const table = /<!-- catalogue -->\n([\s\S]*?)<!-- \/catalogue -->/.exec(text)?.[1] ?? ""
    const rows = table.split("\n").filter(line => line.startsWith("| `")).map(line => line.slice(2, -2).split(" | "))
    const errors = new Map(rows.map(([code, status, cause, remedy]) =>
        [code.replaceAll("`", ""), { status: Number(status), cause, remedy }]))
    if (errors.size === 0) throw new Error("docs/errors.md has no table of codes.")
    return errors
}
