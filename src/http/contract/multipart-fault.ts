// What is wrong with a form, or with the way it arrives.
// Not what is wrong with its fields; input.ts tells that.

/** Thrown into whoever reads the parts, so that it unwinds through the one who stores the file. */
export class MultipartFault extends Error {
  constructor(
    readonly code: 'malformed_multipart' | 'body_interrupted' | 'body_too_large',
    message: string,
  ) {
    super(message)
  }
}
