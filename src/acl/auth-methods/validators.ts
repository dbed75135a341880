/** Validators of auth methods, kept for as long as their configurations stand. */
import { AppError } from "../../errors.ts";
import { ConfigError } from "../../identities/errors.ts";
import type { RawConfig, Validator } from "../../identities/validator.ts";
import { createAsk } from "../../outbound/ask.ts";
import type { Cidr } from "../../outbound/cidr.ts";
import type { Database } from "../../storage/database.ts";
import { isRootScope, type Scope } from "../scope.ts";
import { openConfig } from "./config.ts";
import type { AuthMethod } from "./store.ts";
import { validatorOfType } from "./types.ts";

export interface ValidatorOptions {
  db: Pick<Database, "keyring">;
  /** Where methods may connect to beside public addresses. */
  outboundAllow: readonly Cidr[];
  /** Milliseconds since the epoch. */
  now: () => number;
  /** Told of what goes wrong in the background. */
  onTrouble: (message: string, details: object) => void;
}

export interface Validators {
  /**
   * Makes the validator of a configuration that is not stored yet; the caller closes it.
   *
   * @param type one of those that there are
   * @throws ConfigError
   */
  create(type: string, config: RawConfig, scope: Scope, name: string): Promise<Validator>;
  /**
   * The validator of a stored method, made once for each configuration of it.
   *
   * @throws AppError `invalid` when it cannot be made: an older version of this program took what this one does not
   */
  of(method: AuthMethod): Promise<Validator>;
  close(): void;
}

interface Kept {
  configSealed: string;
  modifyIndex: number;
  validator: Promise<Validator>;
}

/** Each keeps the keys of a provider: a few kilobytes. */
const MAX_KEPT = 2000;

export function createValidators({ db, outboundAllow, now, onTrouble }: ValidatorOptions): Validators {
  /** By the methods' IDs, the one that was used last at the end. */
  const kept = new Map<string, Kept>();
  const askPublic = createAsk({ allow: outboundAllow, mayUsePrivate: false });
  const askPrivate = createAsk({ allow: outboundAllow, mayUsePrivate: true });

  async function create(type: string, config: RawConfig, scope: Scope, name: string): Promise<Validator> {
    const make = await validatorOfType(type);
    if (make === undefined) throw new ConfigError(`there is no type "${type}"`);
    return make(config, {
      // Whoever may write there runs the whole server; other tenants shall not reach its network.
      ask: isRootScope(scope) ? askPrivate : askPublic,
      now,
      onTrouble: (message) => onTrouble(message, { authMethod: name, ...scope }),
    });
  }

  async function load(method: AuthMethod): Promise<Validator> {
    const { type, scope, name } = method;
    try {
      return await create(type, await openConfig(db, method), scope, name);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      const text = `auth method validator for "${name}" could not be initialized: ${error.message}`;
      throw new AppError("invalid", text, { cause: error });
    }
  }

  function drop(id: string): void {
    const entry = kept.get(id);
    kept.delete(id);
    void entry?.validator.then(
      (validator) => validator.close(),
      () => undefined,
    );
  }

  return {
    create,
    of(method) {
      const { id, modifyIndex, configSealed } = method;
      const known = kept.get(id);
      if (known?.configSealed === configSealed) {
        if (kept.size > MAX_KEPT / 2) kept.delete(id);
        kept.set(id, known);
        return known.validator;
      }
      // A reader that is behind shall not push out what the newer version is proven by.
      if (known !== undefined && known.modifyIndex > modifyIndex) return load(method);
      drop(id);
      const entry = { modifyIndex, configSealed, validator: load(method) };
      kept.set(id, entry);
      entry.validator.catch(() => {
        if (kept.get(id) === entry) kept.delete(id);
      });
      for (const oldest of kept.keys()) {
        if (kept.size <= MAX_KEPT) break;
        drop(oldest);
      }
      return entry.validator;
    },
    close() {
      for (const id of kept.keys()) drop(id);
    },
  };
}
