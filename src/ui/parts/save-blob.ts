// Hands bytes of the page, or a file of the server, to the person as a file.
// What is in it is the caller's.

export function saveBlob({ blob, name }: { blob: Blob; name: string }): void {
  const address = URL.createObjectURL(blob)
  saveFrom(address, name)
  // Only when the browser has begun to write it.
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}

/** @param name the server's where it is left out */
export function saveFrom(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
