/** Types for the part of the package that the tests use: the package has no types. */
declare module "aws4" {
  interface Request {
    path: string;
    method: string;
    service: string;
    region: string;
    headers: Record<string, string>;
    body: string;
    extraHeadersToIgnore?: Record<string, boolean>;
  }

  interface Credentials {
    accessKeyId: string;
    secretAccessKey: string;
  }

  const aws4: { sign(request: Request, credentials: Credentials): Request };
  export = aws4;
}
