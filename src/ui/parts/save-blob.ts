// Hands bytes of the page to the person as a file.
// What is in them, and its name, is whoever asks's.

export function saveBlob({ blob, name }: { blob: Blob; name: string }): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  // Only when the browser has begun to write it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
