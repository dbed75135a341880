/** Counts and links in the database fit together in the end. */
import { limited } from "./entries.ts";

/** Each contradiction that was found in the database in the end. */
export const counts = limited((history) => history.final.contradictions.map((text) => text.replaceAll("\n", " ")));
