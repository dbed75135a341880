import { didYouMean } from "../../../declared/shape.ts";
import { OPERATIONS, type OperationId } from "@tessera-server/client";
import { pairs, parseText, textOfFile } from "../body.ts";
import { usage } from "../exit.ts";
import { each } from "../kit/answers.ts";
import type { Verb } from "../spec.ts";

export const verb: Verb = {
  name: "api",
  summary: "Any operation of the API by its operationId.",
  description:
    "Asks any operation of the API by its operationId, and shows what it answers. Without one it lists them all.",
  operations: [],
  args: [{ name: "operation", help: "Its operationId.", optional: true }],
  flags: [
    { name: "path", value: "NAME=VALUE", many: true, help: "A part of its path; may be given several times." },
    { name: "query", value: "NAME=VALUE", many: true, help: "A parameter; may be given several times." },
    {
      name: "file",
      short: "f",
      value: "PATH",
      help: "Its body, as JSON or YAML, in this file; - is standard input.",
      complete: "file",
    },
  ],
  examples: ["tessera api readPolicy --path id=00000000-0000-0000-0000-000000000001"],
  async run(call) {
    const operation = call.optionalArg("operation");
    if (operation === undefined) return list(call);
    if (!Object.hasOwn(OPERATIONS, operation))
      throw usage(
        `there is no operation ${JSON.stringify(operation)}${didYouMean(operation, Object.keys(OPERATIONS))}`,
        "tessera api lists them",
      );
    const file = call.flag("file");
    const input = {
      path: pairs(call.flagList("path"), "--path"),
      query: pairs(call.flagList("query"), "--query"),
      ...(file === undefined ? {} : { body: await parseText(await textOfFile(call, file), file) }),
    };
    const isRead = OPERATIONS[operation as OperationId].startsWith("GET ");
    const answer = isRead ? await call.read(operation, input) : await call.write(operation, input);
    if (answer?.body === undefined) return;
    if (typeof answer.body === "string") await call.out.text(answer.body);
    else await call.out.value(answer.body);
  },
};

async function list(call: Parameters<Verb["run"]>[0]): Promise<void> {
  const rows = Object.entries(OPERATIONS).map(([operation, text]) => {
    const [method, path] = text.split(" ");
    return { operation, method, path };
  });
  const columns = ["operation", "method", "path"].map((value) => ({ title: value, value }));
  await call.out.list(each(rows), { columns, name: (item) => item["operation"] });
}
