/** A template that cannot be read, or that asks for a variable that there is not. */
export class TemplateError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "TemplateError";
  }
}
