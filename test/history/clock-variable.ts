/** Names the file that says by how many milliseconds a node's clock is ahead. Not `TESSERA_…`, which the server takes for options of its own. */
export const CLOCK_VARIABLE = "HISTORY_CLOCK";
