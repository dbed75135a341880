import type { Attack } from "./attack.ts";
import { PLAIN } from "./plain.ts";
import { RAW } from "./raw.ts";

/** All kinds of hostile clients. */
export const ATTACKS: readonly Attack[] = [...PLAIN, ...RAW];
