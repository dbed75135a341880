/**
 * Webhooks: where the records of an organization's changes are posted to. Whoever sends them elsewhere has to see all of
 * them, so setting a target asks for the right to write the organization and for the sight of all its workspaces.
 */
import type { RefusedQuestion } from "../../../refused.ts";
import { authorize, permitted, visibleWorkspaces, questionOf } from "../../../rights/authorize.ts";
import { lastPositionOf } from "../position.ts";
import type { Context } from "../../../context.ts";
import { AppError, invalid, notFound } from "../../../errors.ts";
import { newId } from "../../../ids.ts";
import { createLanes } from "../../../limits/lane.ts";
import { accessibleOrganization, getOrganization } from "../../../organizations/access.ts";
import { findOrganizationById } from "../../../organizations/store.ts";
import { seesAll } from "../../../storage/reads/conditions.ts";
import { type AskFor } from "../../../outbound/targets.ts";
import { sendTo, tokenPlace } from "./send.ts";
import {
  countBehind,
  deleteWebhook,
  findWebhook,
  insertWebhook,
  listWebhooks,
  updateWebhook,
  type OwnedWebhook,
  type Webhook,
} from "./store.ts";

/** Each follows all that is changed in the organization. */
export const MAX_WEBHOOKS = 20;

/** Content of a request. Absent members stay as they are, or get the default. */
export interface WebhookInput {
  name?: string | undefined;
  url?: string | undefined;
  enabled?: boolean | undefined;
  /** The secret that signs; null for none. */
  token?: string | null | undefined;
  /** Empty for all. */
  kinds?: readonly string[] | undefined;
  actions?: readonly string[] | undefined;
}

/** A webhook, and how many records it has not been told, as far as they are counted. */
export interface ShownWebhook extends Webhook {
  behind: number;
}

const URL_POINTER = "/data/attributes/url";

/** @throws AppError `invalid` for what can never be a target; whether it may be connected to is found out each time */
function checkUrl(text: string): void {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw invalid("Url must start with https:// or http://", URL_POINTER);
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid("Url must not contain a user name or a password", URL_POINTER);
  }
}

/**
 * The webhooks of an organization in the order of their making.
 *
 * @throws AppError `not_found` when it is missing or may not be written
 */
export async function listOwned(
  ctx: Context,
  organizationName: string,
  page: { offset: number; size: number },
): Promise<{ webhooks: ShownWebhook[]; total: number }> {
  const organization = await getOrganization(ctx, organizationName, "write");
  const all = await listWebhooks(ctx.db, organization.id);
  return { webhooks: await shown(ctx, all.slice(page.offset, page.offset + page.size)), total: all.length };
}

/**
 * Reads one.
 *
 * @throws AppError `not_found`
 */
export async function readWebhook(ctx: Context, id: string): Promise<ShownWebhook> {
  return showOne(ctx, writable(ctx, await findWebhook(ctx.db, id)));
}

/**
 * Adds a webhook, which is told of what happens from now on.
 *
 * @throws AppError `not_found`, `invalid` when the organization has as many as it may
 */
export async function createWebhook(
  ctx: Context,
  organizationName: string,
  input: WebhookInput & { name: string; url: string },
): Promise<ShownWebhook> {
  checkUrl(input.url);
  const { id: organizationId, name } = await getOrganization(ctx, organizationName, "write");
  checkSight(ctx, name);
  const id = newId("wh");
  const now = new Date(ctx.now()).toISOString();
  const tokenSealed = await sealed(ctx, id, input.token ?? null);
  const webhook = await ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const [organization, others, index] = await Promise.all([
      findOrganizationById(tx, organizationId),
      listWebhooks(tx, organizationId),
      tx.index(),
    ]);
    checkSight(ctx, accessibleOrganization(ctx, organization, "write").name);
    if (others.length >= MAX_WEBHOOKS) throw invalid(`An organization can have at most ${MAX_WEBHOOKS} webhooks`);
    const made: Webhook = {
      ...NEW,
      ...changed(input),
      id,
      organizationId,
      tokenSealed,
      createdAt: now,
      updatedAt: now,
      position: lastPositionOf(index),
    };
    insertWebhook(tx, made);
    return made;
  });
  return { ...webhook, behind: 0 };
}

/**
 * Changes what the request gives and leaves the rest. It is tried at once, however long it had failed.
 *
 * @throws AppError `not_found`, `invalid`
 */
export async function changeWebhook(ctx: Context, id: string, input: WebhookInput): Promise<ShownWebhook> {
  if (input.url !== undefined) checkUrl(input.url);
  const { organizationId } = seeing(ctx, await findWebhook(ctx.db, id));
  const token = input.token === undefined ? {} : { tokenSealed: await sealed(ctx, id, input.token) };
  const now = new Date(ctx.now()).toISOString();
  const webhook = await ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    const before = seeing(ctx, await findWebhook(tx, id));
    const after = { ...before, ...changed(input), ...token, retryAt: 0, updatedAt: now };
    updateWebhook(tx, after, before);
    return after;
  });
  return showOne(ctx, webhook);
}

/**
 * Deletes one. Records that are being sent to the target may still arrive.
 *
 * @throws AppError `not_found`
 */
export async function removeWebhook(ctx: Context, id: string): Promise<void> {
  const { organizationId } = writable(ctx, await findWebhook(ctx.db, id));
  await ctx.db.inTransaction({ kind: "organization", id: organizationId }, async (tx) => {
    deleteWebhook(tx, writable(ctx, await findWebhook(tx, id)));
  });
}

/** Tests that one organization has under way, and that wait: each may take 10 s. */
const LANE = { pool: "webhookTests", running: 2, waiting: 4, milliseconds: 10_000 } as const;

/** Posts a document without events to the target of a webhook, and changes nothing. */
export type Verify = (ctx: Context, id: string) => Promise<{ webhook: ShownWebhook; status: string }>;

/**
 * Makes what tests webhooks: it gives the webhook and the status of the target's answer.
 *
 * @throws AppError (the function) `not_found`, `rate_limited`, `invalid` with what came of it unless the target took it
 */
export function createVerify(askFor: AskFor): Verify {
  const text = "Other webhook tests of this organization are running";
  const busy = (): Error => new AppError("rate_limited", text, { limit: LANE.running + LANE.waiting });
  const lanes = createLanes(LANE, { full: busy, late: busy });
  return async (ctx, id) => {
    const webhook = seeing(ctx, await findWebhook(ctx.db, id));
    const { organizationId } = webhook;
    const { ok, status } = await lanes.run(organizationId, () => sendTo(ctx.db, askFor(organizationId), webhook, []));
    if (!ok) throw invalid(`Test delivery failed: ${status}`, URL_POINTER);
    return { webhook: await showOne(ctx, webhook), status };
  };
}

/** State of a new webhook without further settings. */
const NEW = {
  name: "",
  url: "",
  enabled: 1,
  kinds: "[]",
  actions: "[]",
  failures: 0,
  retryAt: 0,
  failingSince: "",
  deliveredAt: "",
  deliveryStatus: "",
  skippedAt: "",
};

function changed({ name, url, enabled, kinds, actions }: WebhookInput): Partial<Webhook> {
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url }),
    ...(enabled === undefined ? {} : { enabled: Number(enabled) }),
    ...(kinds === undefined ? {} : { kinds: JSON.stringify(kinds) }),
    ...(actions === undefined ? {} : { actions: JSON.stringify(actions) }),
  };
}

/** Sealed before the transaction, since it may take a while. */
async function sealed({ db }: Context, id: string, token: string | null): Promise<string> {
  return token === null || token === "" ? "" : db.keyring.seal(token, tokenPlace(id));
}

function writable(ctx: Context, webhook: OwnedWebhook | undefined): OwnedWebhook {
  return permitted(ctx, "webhook", webhook, "organization", (found) => found.organizationName, "write");
}

/** Returns the webhook for a caller that changes its target, who must also see all workspaces. */
function seeing(ctx: Context, webhook: OwnedWebhook | undefined): OwnedWebhook {
  const found = writable(ctx, webhook);
  if (!seesEverything(ctx, found.organizationName)) throw notFound("webhook", sightOf(ctx, found.organizationName));
  return found;
}

function checkSight(ctx: Context, organizationName: string): void {
  if (!seesEverything(ctx, organizationName)) throw notFound("organization", sightOf(ctx, organizationName));
}

/** The question that stands for them all. */
function sightOf({ actor }: Context, organizationName: string): RefusedQuestion {
  const isReader = authorize(actor, "organization", organizationName, "read");
  // Some of its workspaces are barred.
  if (isReader) return questionOf("workspace", `${organizationName}/${barredIn(actor, organizationName)}`, "read");
  return questionOf("organization", organizationName, "read");
}

/**
 * Returns a name of a workspace that the caller may not read: an excluded name, or the first one behind an excluded
 * prefix. Empty when it may read all.
 */
function barredIn(actor: Context["actor"], organizationName: string): string {
  const { except, ranges } = visibleWorkspaces(actor, organizationName);
  const names = [...except, ...ranges.flatMap(({ to }) => (to === undefined ? [] : [to, `${to}-`]))];
  return names.find((name) => !authorize(actor, "workspace", `${organizationName}/${name}`, "read")) ?? "";
}

function seesEverything({ actor }: Context, organizationName: string): boolean {
  return (
    authorize(actor, "organization", organizationName, "read") && seesAll(visibleWorkspaces(actor, organizationName))
  );
}

async function shown({ db }: Context, webhooks: readonly Webhook[]): Promise<ShownWebhook[]> {
  const behind = await countBehind(
    db.long,
    webhooks.map(({ id }) => id),
  );
  return webhooks.map((webhook) => ({ ...webhook, behind: behind.get(webhook.id) ?? 0 }));
}

async function showOne(ctx: Context, webhook: Webhook): Promise<ShownWebhook> {
  const [one = { ...webhook, behind: 0 }] = await shown(ctx, [webhook]);
  return one;
}
