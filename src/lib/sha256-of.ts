/** SHA-256 in hex of a file or of chunks. @throws the signal's reason if it aborts, and errors of reading */
export async function sha256Of(
  source: string | Blob | AsyncIterable<Uint8Array>,
  signal?: AbortSignal,
): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  const file = typeof source === 'string' ? Bun.file(source) : source
  for await (const chunk of file instanceof Blob ? file.stream() : file) {
    signal?.throwIfAborted()
    hasher.update(chunk)
  }
  return hasher.digest('hex')
}
