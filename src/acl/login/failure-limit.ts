export interface FailureLimit {
  check(key: string): number | undefined;
  failed(key: string): void;
  entries(): number;
}
export function failureKey(id: string, address: string): string {
  return id + address;
}
export function createFailureLimit(_o: object): FailureLimit {
  return { check: () => undefined, failed: () => undefined, entries: () => 0 };
}
