import { objectOf } from "../kit/answers.ts";
import type { Verb } from "../spec.ts";

export const verb: Verb = {
  name: "why",
  summary: "Why a request was refused, and what would allow it.",
  description:
    "Says of a refused request what it asked for, what decided, and the smallest rule that would allow it. The ID is the X-Request-Id of its answer. Needs acl:read.",
  operations: ["explainRefusal"],
  args: [{ name: "request", help: "The request's ID." }],
  async run(call) {
    await call.out.value(objectOf(await call.read("explainRefusal", { path: { request_id: call.arg("request") } })));
  },
};
