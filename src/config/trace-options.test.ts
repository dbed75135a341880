import { expect, it } from "vitest";
import { readConfig } from "../config.ts";

it("takes a part from 0 to 1 of the requests, and an address without credentials", () => {
  const sample = (text: string) => readConfig(["--otlp-sample", text], {}).otlpSample;
  expect(["0", "0.05", "1", "1.0"].map(sample)).toEqual([0, 0.05, 1, 1]);
  for (const wrong of ["1.1", "-1", "5%", "", "1e-3", ".5"]) {
    expect(() => sample(wrong), wrong).toThrow(/--otlp-sample is .*; use a number from 0 to 1, such as 0\.05/);
  }
  for (const wrong of ["collector:4318", "grpc://collector:4317", "http://user:canary@collector"]) {
    expect(() => readConfig(["--otlp-endpoint", wrong], {})).toThrow(/^--otlp-endpoint must be an http or https URL/);
  }
});
