/** A rule that the identity matches gives something that cannot be given: nobody logs in past it. The message is shown to the client. */
export class LoginRefused extends Error {
  /** Of the binding rule; undefined when a namespace rule is the reason. */
  readonly bindingRuleId: string | undefined;

  constructor(message: string, bindingRuleId: string | undefined, options?: ErrorOptions) {
    super(message, options);
    this.name = "LoginRefused";
    this.bindingRuleId = bindingRuleId;
  }
}
