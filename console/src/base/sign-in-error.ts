/** Failed sign-in, with the message that the console shows. */
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
