// The SHA-256 of a file on this disk, read piece by piece.
// What it is compared with, its callers know.

/** In hex. @throws the signal's reason when it fires, and what the file system throws */
export async function sha256Of(file: string | Bun.BunFile, signal?: AbortSignal): Promise<string> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of (typeof file === 'string' ? Bun.file(file) : file).stream()) {
    signal?.throwIfAborted()
    hasher.update(chunk)
  }
  return hasher.digest('hex')
}
