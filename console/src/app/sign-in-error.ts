/** What is shown of a refusal to sign in. */
export class SignInError extends Error {
  override readonly name = "SignInError";
  readonly status: number;
  readonly requestId: string | undefined;
  constructor(message: string, status: number, requestId: string | undefined) {
    super(message);
    this.status = status;
    this.requestId = requestId;
  }
}
