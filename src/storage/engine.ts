/** The two engines; one body of queries serves both. */
export type Engine = "sqlite" | "postgres";
