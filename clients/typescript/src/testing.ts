/** A gateway in memory, for the tests of an app: begin with `new FakeGateway()`. */
export type { FakeCall } from "./testing/fake-call.js"
export { FakeGateway } from "./testing/fake-gateway.js"
export { reply, type FakeUser, type Reply } from "./testing/reply.js"
