/** Tests that send requests by `fetch` make secrets as those do that have a helper: what comes back is noted where it is read. */
import { noteSecretsOf } from "./made-secrets.ts";

const NOTED = Symbol("answers of fetch are noted");

/** From then on the secrets of all requests and answers of this process are noted; once is enough. */
export function noteFetches(): void {
  const fetching: typeof fetch & { [NOTED]?: true } = globalThis.fetch;
  if (fetching[NOTED] === true) return;
  const noting: typeof fetching = async (input, init) => {
    const answer = await fetching(input, init);
    const url = input instanceof Request ? input.url : String(input);
    noteSecretsOf(url, init?.body, { status: answer.status, text: "" });
    return noteWhenRead(url, answer);
  };
  noting[NOTED] = true;
  globalThis.fetch = noting;
}

/** Not before it is read: an answer may never end. */
function noteWhenRead(url: string, answer: Response): Response {
  const { status } = answer;
  const read = answer.text.bind(answer);
  const clone = answer.clone.bind(answer);
  const text = async () => {
    const told = await read();
    noteSecretsOf(url, undefined, { status, text: told });
    return told;
  };
  const json = async () => JSON.parse(await text()) as unknown;
  return Object.assign(answer, { text, json, clone: () => noteWhenRead(url, clone()) });
}
