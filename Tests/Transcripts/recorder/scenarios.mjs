// The scenarios, by the name of their file. Each takes a transcript, prepares people, and records calls.
import { signIns } from "./signing-in.mjs"
import { sessions } from "./sessions.mjs"

export const scenarios = { ...signIns, ...sessions }
