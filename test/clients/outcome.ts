/** Outcome of one test or, under the name "", of a package as a whole. */
export interface Outcome {
  action: "pass" | "fail" | "skip" | "unfinished";
  output: string;
}
