/**
 * `node bench/console-live.ts [minutes]`: what a window of the console holds while events come in, 30 minutes unless said
 * otherwise.
 */
import { loadavg } from "node:os";
import { createClient } from "@tessera-server/client";
import { watchMemory } from "../test/console/live-memory.ts";
import { openBrowser, openConsole, openWindow, signIn } from "../test/console/open.ts";
import { describeMachine } from "./machine.ts";

const minutes = Number(process.argv[2] ?? 30);
const RATE = 4;

const opened = await openConsole();
const browser = await openBrowser();
try {
  const window = await openWindow(browser, opened.url);
  await window.go("access/default/default/tokens?sort=Description");
  await signIn(window, opened.token);
  const client = createClient({ address: opened.url, token: opened.token });
  const { heap, nodes, changes, isCurrent } = await watchMemory({
    page: window.page,
    client,
    seconds: minutes * 60,
    rate: RATE,
    samples: 10,
  });
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(1);
  process.stdout.write(`${describeMachine("not pinned")}, load ${loadavg()[0]?.toFixed(1)}
${minutes} minutes, ${changes} changes; the page has the last one: ${isCurrent}
heap after each tenth, MB: ${heap.map(megabytes).join(" ")}
nodes of the document: ${nodes.join(" ")}
`);
  if (window.faults.length > 0) process.stdout.write(`${window.faults.join("\n")}\n`);
} finally {
  await browser.close();
  await opened.close();
}
