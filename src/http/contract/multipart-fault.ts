/** An error in the encoding of a form, or in its transfer. Thrown, so that it unwinds through the code that stores the file. */
export class MultipartFault extends Error {
  constructor(
    readonly code: 'malformed_multipart' | 'body_interrupted' | 'body_too_large',
    message: string,
  ) {
    super(message)
  }
}
