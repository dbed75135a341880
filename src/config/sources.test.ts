import { expect, it } from "vitest";
import { readConfig } from "../config.ts";

it("warns of an environment variable that it does not know, but not of a service link's", () => {
  const env = {
    TESSERA_LISEN: "x",
    TESSERA_ADDR: "http://x",
    TESSERA_TOKEN: "x",
    TESSERA_SERVICE_HOST: "10.0.0.1",
    TESSERA_PORT_80_TCP: "x",
    TESSERA_PORT: "tcp://x",
  };
  expect(readConfig([], env).warnings).toEqual([expect.stringContaining("TESSERA_LISEN")]);
});
