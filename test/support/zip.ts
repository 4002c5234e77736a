// Reads ZIP archives with stored (uncompressed) files by their central directory; no Zip64.

export type ZipEntry = { name: string; bytes: Buffer }

/** Throws on a wrong checksum. */
export function readZip(archive: Uint8Array): ZipEntry[] {
  const zip = Buffer.from(archive)
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'))
  const entries: ZipEntry[] = []
  let at = zip.readUInt32LE(end + 16)
  for (let count = zip.readUInt16LE(end + 10); count > 0; count--) {
    const [nameLength, extraLength, noteLength] = [28, 30, 32].map((offset) => zip.readUInt16LE(at + offset))
    const size = zip.readUInt32LE(at + 24)
    const local = zip.readUInt32LE(at + 42)
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28)
    const name = zip.toString('utf8', at + 46, at + 46 + nameLength!)
    const bytes = zip.subarray(start, start + size)
    if (Bun.hash.crc32(bytes) !== zip.readUInt32LE(at + 16)) throw new Error(`${name} is damaged`)
    entries.push({ name, bytes })
    at += 46 + nameLength! + extraLength! + noteLength!
  }
  return entries
}
