/** A configuration that the server does not start with. The message is one line: what is wrong and what to do. */
export class ConfigError extends Error {
  constructor(message: string) {
    super(message.replaceAll(/\s+/g, " "));
    this.name = "ConfigError";
  }
}
