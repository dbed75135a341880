/** Takes organizations, projects, workspaces, tags and bindings over from HCP Terraform or Terraform Enterprise, by their API. */
import { fold } from "../../fold.ts";
import { TesseraError } from "@tessera-server/client";
import { readAllOrganizations } from "../export.ts";
import type { Live } from "../object.ts";
import { objectOf, type Declared } from "../object.ts";
import { itemsOf, type Server } from "../server.ts";
import type { FileContent } from "../shape.ts";
import { createLeft, type Left, type Taken } from "./source.ts";

export interface HcpOptions {
  /** Names of organizations; all that the token sees when there are none. */
  readonly organizations: readonly string[];
  /** For organizations whose address the token may not read. */
  readonly email: string | undefined;
}

/** Data that is never read. */
const NOT_READ =
  "not imported: variables, states, runs, teams, policy sets, and workspace settings except descriptions";

/** Reads what the token may see. @throws what the client throws */
export async function takeFromHcp(source: Server, { organizations, email }: HcpOptions): Promise<Taken> {
  const left = createLeft();
  const wanted = new Set(organizations.map((name) => fold(name)));
  const all = await readAllOrganizations(source, (name) => wanted.size === 0 || wanted.has(fold(name)));
  const there = new Set(all.flatMap(({ kind, name }) => (kind.name === "organization" ? [fold(name)] : [])));
  for (const name of organizations.filter((each) => !there.has(fold(each))))
    left.add("organizations that do not exist, or that the token may not read", name);
  const objects: Declared[] = [];
  const known = new Set<string>();
  for (const live of all) {
    if (live.kind.name !== "organization") {
      if (known.has(live.where.organization)) objects.push(objectOf(live.kind, live.where, live.name, live.content));
      continue;
    }
    const content = organizationContent(live, email, left);
    if (content === undefined) continue;
    known.add(live.name);
    objects.push(objectOf(live.kind, live.where, live.name, content));
    await noteReserved(source, live.name, left);
  }
  return { seen: all.length, objects, left: [...left.lines(), NOT_READ], secrets: new Map() };
}

function organizationContent({ name, content }: Live, email: string | undefined, left: Left): FileContent | undefined {
  const { email: shown, "default-execution-mode": mode } = content;
  const address = typeof shown === "string" && shown !== "" ? shown : email;
  if (address === undefined) {
    left.add("organizations whose email address is not visible; set --email", name);
    return undefined;
  }
  if (mode === "remote" || mode === "local") return { email: address, "default-execution-mode": mode };
  if (mode === "agent") left.add("the default execution mode agent of organizations; imported as remote", name);
  return { email: address };
}

/** Keys that are reserved there are named: they are no objects of files. */
async function noteReserved(source: Server, organization: string, left: Left): Promise<void> {
  try {
    for await (const item of itemsOf(source, "listReservedTagKeys", { path: { organization_name: organization } })) {
      const { key = "" } = (item as { attributes?: { key?: string } }).attributes ?? {};
      left.add("reserved tag keys; reserve them with the API", `${organization}/${key}`);
    }
  } catch (error) {
    if (!(error instanceof TesseraError)) throw error;
    left.add("reserved tag keys that the token may not read, of", organization);
  }
}
