/** SHA-256 of a file in hex, read in chunks. @throws the signal's reason if it aborts, and file system errors */
export async function sha256Of(file: string | Blob, signal?: AbortSignal): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of (typeof file === 'string' ? Bun.file(file) : file).stream()) {
    signal?.throwIfAborted()
    hasher.update(chunk)
  }
  return hasher.digest('hex')
}
