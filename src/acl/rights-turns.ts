import { createTurns } from "../turns.ts";

/** Of reading and compiling what tokens may do: thousands of rules take longer than one turn of the event loop may. */
export const rightsTurns = createTurns();
