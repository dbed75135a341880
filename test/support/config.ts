/** Configurations that are refused. */
import { expect } from "vitest";
import { ConfigError, readConfig } from "../../src/config.ts";

/** @returns the message of the refusal, in one line */
export function refusal(args: string[], env: Record<string, string> = {}): string {
  try {
    readConfig(args, env);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    const { message } = error as ConfigError;
    expect(message).not.toContain("\n");
    return message;
  }
  throw new Error(`not refused: ${args.join(" ")}`);
}
