/** A call that an app made. */
export class FakeCall {
    private constructor(
        /** Method and path, such as `POST /v1/sign-in`. */
        readonly name: string,
        /** By their names in lower case. */
        readonly headers: ReadonlyMap<string, string>,
        /** The JSON of the body, or the fields of a form. */
        readonly body: unknown
    ) {}

    static async of(request: Request): Promise<FakeCall> {
        const { method, url, headers } = request
        return new FakeCall(`${method} ${new URL(url).pathname}`, new Map(headers), parsed(await request.text()))
    }

    /** The text at a path of members of the body. */
    text(...path: string[]): string | undefined {
        let value = this.body
        for (const member of path) value = (value as Record<string, unknown> | undefined)?.[member]
        return typeof value === "string" ? value : undefined
    }

    /** The token of the header `Authorization`. */
    get accessToken(): string | undefined {
        return this.headers.get("authorization")?.split(" ").at(-1)
    }

    get isProved(): boolean {
        return this.headers.has("dpop")
    }

    /** Whether the script answers it. */
    get isOfSignIn(): boolean {
        return signIns.includes(this.name)
    }
}

const signIns: readonly string[] = [
    "POST /v1/sign-in", "POST /v1/sign-in/continue", "POST /v1/sign-in/resend", "POST /v1/sign-up",
    "POST /v1/sign-up/confirm", "POST /v1/sign-up/resend", "POST /v1/password/forgot", "POST /v1/password/reset",
    "POST /v1/session/step-up"
]

function parsed(text: string): unknown {
    try {
        return JSON.parse(text)
    } catch {
        return text === "" ? undefined : Object.fromEntries(new URLSearchParams(text))
    }
}
