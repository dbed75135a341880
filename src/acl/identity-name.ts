const NAME = /^[a-z0-9]([a-z0-9\-_]*[a-z0-9])?$/;
const MAX_NAME = 256;

/** Whether a service or a node may have this name. */
export function isIdentityName(name: string): boolean {
  return name.length <= MAX_NAME && NAME.test(name);
}
