import type { AskServer } from "../../../policy-tests/run.ts";
import { CliError, EXIT, usage } from "../exit.ts";
import type { Verb } from "../spec.ts";

/** Policy tests. What decides from files is the server's own, loaded when it is asked for and not before. */
export const testVerb: Verb = {
  name: "test",
  summary: "Run policy tests against policy files or the server.",
  description:
    "Reads every *.test.yaml in a directory. Cases about policies use the *.hcl files in that directory, without a server. Cases about a " +
    "token, a role or an identity use the server.",
  operations: ["explainDecisions"],
  args: [{ name: "directory", help: "Directory with the tests.", complete: "file" }],
  flags: [{ name: "junit", value: "FILE", help: "Write a JUnit report to this file." }],
  examples: ["tessera policy test access/ --junit report.xml"],
  async run(call) {
    const { PolicyTestError, runPolicyTests } = await import("../../../policy-tests/run.ts");
    const { TesseraError } = await import("@tessera-server/client");
    const ask: AskServer = async (body) => {
      try {
        return (await call.read("explainDecisions", { body })).body as Awaited<ReturnType<AskServer>>;
      } catch (error) {
        // It has none of whom a case is about, or no such resource: that fails this case, and says nothing of the others.
        if (error instanceof TesseraError && (error.status === 400 || error.status === 404))
          throw new PolicyTestError(error.detail);
        throw error;
      }
    };
    let result: Awaited<ReturnType<typeof runPolicyTests>>;
    try {
      result = await runPolicyTests({ directory: call.arg("directory"), junit: call.flag("junit"), ask });
    } catch (error) {
      if (error instanceof PolicyTestError) throw usage(error.message);
      throw error;
    }
    const { results, failed, text } = result;
    await (call.out.isData ? call.out.value({ Results: results, Failed: failed }) : call.out.text(text));
    if (failed > 0) throw new CliError(EXIT.failed, `${failed} of ${results.length} policy tests failed`);
  },
};
