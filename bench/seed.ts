/** Fills a server with what the scenarios need, through its HTTP API alone. */

/** A server that the benchmark may talk to. */
export interface Target {
  readonly url: string;
  readonly token: string;
  /** Its process, where its processor time is wanted. */
  readonly pid?: number;
}

/** A resource as the API names it. */
interface Resource {
  readonly id: string;
  readonly attributes: { readonly name: string };
}

const mediaType = "application/vnd.api+json";

/** Sends one request and returns the decoded body; throws with the answer's text when it is not 2xx. */
export async function call(target: Target, method: string, path: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(`${target.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${target.token}`, "content-type": mediaType, accept: mediaType },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** Runs `work` over all items, a few at a time. */
export async function inParallel<T, R>(
  items: readonly T[],
  width: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = [];
  const queue = items.entries();
  const lane = async () => {
    for (const [index, item] of queue) results[index] = await work(item);
  };
  await Promise.all(Array.from({ length: width }, lane));
  return results;
}

/** Creates an organization; its name is its id. */
export async function createOrganization(target: Target, name: string): Promise<void> {
  const data = { type: "organizations", attributes: { name, email: `${name}@example.com` } };
  await call(target, "POST", "/api/v2/organizations", { data });
}

/** Creates workspaces of these names and returns their ids in the same order. */
export async function createWorkspaces(
  target: Target,
  organization: string,
  names: readonly string[],
): Promise<string[]> {
  return inParallel(names, 16, async (name) => {
    const data = { type: "workspaces", attributes: { name } };
    const answer = await call(target, "POST", `/api/v2/organizations/${organization}/workspaces`, { data });
    return (answer as { data: Resource }).data.id;
  });
}

/** Puts tags into the pool, 1,000 a request, and returns their ids by the order of the names. */
export async function createTags(target: Target, organization: string, names: readonly string[]): Promise<string[]> {
  const batches = slices(names, 1000);
  const made = await inParallel(batches, 2, async (batch) => {
    const data = batch.map((name) => ({ type: "tags", attributes: { name } }));
    const answer = await call(target, "POST", `/api/v2/organizations/${organization}/tags`, { data });
    const ids = new Map((answer as { data: Resource[] }).data.map((tag) => [tag.attributes.name, tag.id]));
    return batch.map((name) => ids.get(name) ?? "");
  });
  return made.flat();
}

/** Gives a tag to workspaces. */
export async function addWorkspaces(target: Target, tagId: string, workspaceIds: readonly string[]): Promise<void> {
  await call(target, "POST", `/api/v2/tags/${tagId}/relationships/workspaces`, workspacesBody(workspaceIds));
}

/** The body that names workspaces. */
export function workspacesBody(ids: readonly string[]): unknown {
  return { data: ids.map((id) => ({ type: "workspaces", id })) };
}

/** The body that names tags. */
export function tagsBody(ids: readonly string[]): unknown {
  return { data: ids.map((id) => ({ type: "tags", id })) };
}

/** Cuts a list into pieces of at most `size`. */
export function slices<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

/** Numbers as names of one width: `prefix-00042`. */
export function numbered(prefix: string, count: number): string[] {
  const width = String(count - 1).length;
  return Array.from({ length: count }, (_, index) => `${prefix}-${String(index).padStart(width, "0")}`);
}
