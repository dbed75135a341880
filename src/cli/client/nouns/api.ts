import { didYouMean } from "../../../declared/shape.ts";
import { OPERATIONS, type OperationId } from "@tessera-server/client";
import { pairs, parseText, textOfFile } from "../body.ts";
import { usage } from "../exit.ts";
import { each } from "../kit/answers.ts";
import type { Verb } from "../spec.ts";

export const verb: Verb = {
  name: "api",
  summary: "Call any API operation by operationId.",
  description: "Prints the response. Without an operationId, lists all operations.",
  operations: [],
  args: [{ name: "operation", help: "OperationId.", optional: true }],
  flags: [
    { name: "path", value: "NAME=VALUE", many: true, help: "Path parameter. Repeatable." },
    { name: "query", value: "NAME=VALUE", many: true, help: "Query parameter. Repeatable." },
    {
      name: "file",
      short: "f",
      value: "PATH",
      help: "File with the request body in JSON or YAML. Use - to read stdin.",
      complete: "file",
    },
  ],
  examples: ["tessera api readPolicy --path id=00000000-0000-0000-0000-000000000001"],
  async run(call) {
    const operation = call.optionalArg("operation");
    if (operation === undefined) return list(call);
    if (!Object.hasOwn(OPERATIONS, operation))
      throw usage(
        `unknown operation ${JSON.stringify(operation)}${didYouMean(operation, Object.keys(OPERATIONS))}`,
        "run tessera api to list all operations",
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
