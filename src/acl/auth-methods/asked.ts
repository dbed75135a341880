/** The questions that an auth method is asked before it is written, and by a check that writes nothing. */
import type { Context } from "../../context.ts";
import { invalid } from "../../errors.ts";
import { MethodConfigError } from "../../identities/errors.ts";
import type { IdentityForm, RawConfig, Validator } from "../../identities/validator.ts";
import type { RegularExpressions } from "../../selectors/regular-expression.ts";
import type { AskQuestion } from "../kit/ask.ts";
import { checkLiving } from "../namespaces/living.ts";
import type { Scope } from "../../rights/scope.ts";
import { newUuid } from "../../rights/uuid.ts";
import {
  checkHasRules,
  checkLocality,
  checkMaxTtl,
  checkMayChooseNamespaces,
  checkName,
  checkType,
  invalidMethod,
} from "./check.ts";
import { checkUnsupported } from "../kit/unsupported.ts";
import { checkShownSecrets, checkSize } from "./config.ts";
import { checkNamespaceRules } from "./namespace-rules.ts";
import { methodStore, type AuthMethod } from "./store.ts";
import { checkCommunityKeys, type Validators } from "./validators.ts";

/** An auth method as a request has it; without a `type`, that of the stored one counts. */
export type MethodInput = Pick<
  AuthMethod,
  "type" | "displayName" | "description" | "maxTokenTtl" | "tokenLocality" | "namespaceRules"
> & {
  config: RawConfig;
  /** A format of token names, which no method has: it must be empty. */
  tokenNameFormat?: string;
};

/** Means of a write beside the request. */
export interface MethodOptions {
  validators: Validators;
  /** Compiles the patterns of namespace rules. */
  regularExpressions: RegularExpressions;
  edition: "enterprise" | "community";
}

/** A method as it is to be. */
interface Wanted {
  scope: Scope;
  name: string;
  input: MethodInput;
  /** Stored method; undefined for a new one. */
  before: AuthMethod | undefined;
}

/**
 * Asks of an auth method all that its write asks, but for what its provider is asked, and writes nothing.
 *
 * @returns the form of its identities and the stored method; undefined where the configuration says none
 */
export async function askMethod<E extends undefined>(
  ask: AskQuestion<E>,
  { db }: Pick<Context, "db">,
  scope: Scope,
  name: string,
  given: MethodInput,
  options: MethodOptions,
): Promise<{ form: IdentityForm; before: AuthMethod | undefined } | undefined> {
  await ask("Namespace", () => checkLiving(db, scope));
  await ask("Name", () => checkName(name));
  const before = await methodStore.byName(db, scope, name);
  const input = withType(given, before);
  await askContent(ask, { scope, name, input, before }, options.edition);
  const form = await askConfig(ask, { scope, name, input, before }, options, false);
  return form && { form, before };
}

/**
 * A method as it is to be, for whoever asks about its rules before it is written. It is as sound as its configuration: all else that its
 * write asks is not asked. The caller closes the validator.
 *
 * @throws AppError `invalid`
 */
export async function planMethod(
  { db }: Pick<Context, "db">,
  scope: Scope,
  name: string,
  given: MethodInput,
  { validators }: Pick<MethodOptions, "validators">,
): Promise<{ method: AuthMethod; validator: Validator }> {
  const before = await methodStore.byName(db, scope, name);
  const { config, tokenNameFormat: _, ...content } = withType(given, before);
  const validator = await inWords(() => validators.create(content.type, config, scope, name));
  const stored = before ?? { id: newUuid(), scope, name, configSealed: "", ...NO_RULES };
  return { method: { ...stored, ...content }, validator };
}

const NO_RULES = { rulesIndex: 0, rulesWeight: 0, createIndex: 0, modifyIndex: 0 };

/** A request without a type means that of the stored method. */
export function withType(input: MethodInput, before: AuthMethod | undefined): MethodInput {
  return { ...input, type: input.type || (before?.type ?? "") };
}

/** Asks of a method all but what its configuration says. */
export async function askContent<E extends undefined>(
  ask: AskQuestion<E>,
  { scope, input, before }: Wanted,
  edition: MethodOptions["edition"],
): Promise<void> {
  await ask("Type", () => checkSameType(input, before));
  await ask("Type", () => checkType(input.type, edition));
  await ask("MaxTokenTTL", () => checkMaxTtl(input));
  await ask("TokenLocality", () => checkLocality(input));
  await ask("TokenNameFormat", () => checkUnsupported("Auth Method", "TokenNameFormat", input.tokenNameFormat));
  await ask("NamespaceRules", () => checkHasRules(input, scope));
  await ask("Config", () => checkSize(input.config));
  await ask("Config", () => checkShownSecrets(input.config));
}

function checkSameType({ type }: MethodInput, before: AuthMethod | undefined): void {
  if (before !== undefined && type !== before.type) throw invalid("the Type field of an Auth Method is immutable");
}

/**
 * Asks of its configuration, and of its rules beside it.
 *
 * @param isNew whether what it names is asked, too
 * @returns the form of its identities
 */
export async function askConfig<E extends undefined>(
  ask: AskQuestion<E>,
  { scope, name, input }: Wanted,
  { validators, regularExpressions, edition }: MethodOptions,
  isNew: boolean,
): Promise<IdentityForm | E> {
  const { type, config, namespaceRules } = input;
  const validator = await ask("Config", () =>
    inWords(async () => {
      if (edition === "community") checkCommunityKeys(config);
      return validators.create(type, config, scope, name);
    }),
  );
  if (validator === undefined) return validator;
  try {
    await ask("Config", () => checkMapping(validator, scope));
    await ask("NamespaceRules", () => checkNamespaceRules(namespaceRules, validator.form, regularExpressions));
    if (isNew) await ask("Config", () => inWords(async () => validator.probe()));
    return validator.form;
  } finally {
    validator.close();
  }
}

function checkMapping({ mapNamespace }: Validator, scope: Scope): void {
  if (mapNamespace !== undefined) checkMayChooseNamespaces(scope, "MapNamespaces is");
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof MethodConfigError) throw invalidMethod(error.message);
    throw error;
  }
}
