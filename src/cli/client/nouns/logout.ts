import { TesseraError } from "@tessera-server/client";
import { readContexts, writeContexts } from "../contexts.ts";
import { CliError, EXIT } from "../exit.ts";
import type { Verb } from "../spec.ts";

export const verb: Verb = {
  name: "logout",
  summary: "Log out and delete the token of the login.",
  description: "Deletes the current token and removes it from the context. Works only with login tokens.",
  operations: ["logout"],
  async run(call) {
    const { tokenFrom, context } = call.settings;
    if (tokenFrom === undefined) throw new CliError(EXIT.failed, "not logged in");
    let wasGone = false;
    try {
      if ((await call.write("logout")) === undefined) return;
    } catch (error) {
      // A token that has expired is out of the context all the same.
      if (!(error instanceof TesseraError && /ACL not found|the token of this request is unknown/.test(error.message)))
        throw error;
      wasGone = true;
    }
    const { env } = call.io;
    const contexts = readContexts(env);
    const kept = context === undefined ? undefined : contexts.contexts[context];
    if (kept?.loggedIn === true) {
      delete kept.token;
      delete kept.loggedIn;
      writeContexts(env, contexts);
    }
    await call.out.note(wasGone ? "The token has already expired or was deleted." : "Logged out.");
  },
};
