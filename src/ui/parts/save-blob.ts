// Downloads a Blob or a file of the server.

export function saveBlob({ blob, name }: { blob: Blob; name: string }): void {
  const address = URL.createObjectURL(blob)
  saveFrom(address, name)
  // Revoked only after the browser has started to write the file.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** @param name defaults to the server's name */
export function saveFrom(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
