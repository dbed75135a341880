/** Loaded in front of a server that a test starts: its answers are looked at, and what is wrong is written to the test's file. */
import { appendFileSync } from "node:fs";
import { lazily } from "./install.ts";
import { writeSeen } from "./seen.ts";
import { watchAnswers } from "./watch.ts";

const { searchParams } = new URL(import.meta.url);
const report = searchParams.get("report") ?? "";
watchAnswers(lazily(searchParams.get("document") ?? ""), (fault) => {
  appendFileSync(report, `${fault.replaceAll("\n", " ")}\n`);
});
process.on("exit", writeSeen);
